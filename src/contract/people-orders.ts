/** Sort keys for lists of people. */
export const PEOPLE_ORDERS = [
  'last_seen_at',
  'visits',
  'pageviews',
  'conversions',
  'payments',
  'revenue',
] as const;

/** One of {@link PEOPLE_ORDERS}. */
export type PeopleOrder = (typeof PEOPLE_ORDERS)[number];
