import { eventDimension, NONE, named } from '../../dimension.ts';

/** Title of the page that was shown. */
export const eventTitle = eventDimension('event:title', named('title', NONE), {
  only: "title != ''",
});
