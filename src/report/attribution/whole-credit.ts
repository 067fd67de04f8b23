/** What a fact counts for in `credit`, shared out or not: fine enough for four decimals. */
export const WHOLE_CREDIT = 10_000;
