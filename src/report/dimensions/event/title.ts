import { NONE } from '#contract/row-labels.ts';
import { eventDimension, named } from '../../dimension.ts';

/** Title of the page of the pageview. */
export const eventTitle = eventDimension('event:title', named('title', NONE), {
  only: "title != ''",
});
