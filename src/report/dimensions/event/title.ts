import { eventDimension, named } from '../../dimension.ts';

/** Title of the page of the pageview. */
export const eventTitle = eventDimension('event:title', named('title'), { only: "title != ''" });
