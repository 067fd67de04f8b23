import { type EventDimension, NONE, named } from '../../dimension.ts';

/** Title of the page that was shown. */
export const eventTitle = {
  of: 'event',
  name: 'event:title',
  sql: () => named('title', NONE),
  only: "title != ''",
} as const satisfies EventDimension;
