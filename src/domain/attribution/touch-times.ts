/** By `time_decay`, a touch counts half as much as one that is so much later. */
export const HALF_LIFE_MS = 7 * 86_400_000;

/** What the last touch of a path weighs: fine enough that whole numbers change no cent. */
export const LAST_TOUCH_WEIGHT = 1_000_000_000;

/** How long after a payment a visit may begin and still be credited, when none began before it. */
export const LATE_TOUCH_MAX_MS = 10 * 60 * 1_000;
