import { type EventDimension, NONE, named } from '../../dimension.ts';

/** Path of the page that was shown, or on which the event happened. */
export const eventPage = {
  of: 'event',
  name: 'event:page',
  sql: () => named('path', NONE),
  only: "path != ''",
} as const satisfies EventDimension;
