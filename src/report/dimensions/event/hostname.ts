import { type EventDimension, NONE, named } from '../../dimension.ts';

/** Host of the page on which it happened. */
export const eventHostname = {
  of: 'event',
  name: 'event:hostname',
  sql: () => named('toString(hostname)', NONE),
  only: "hostname != ''",
} as const satisfies EventDimension;
