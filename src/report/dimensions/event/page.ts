import { eventDimension, named } from '../../dimension.ts';

/** Path of the page of the event. */
export const eventPage = eventDimension('event:page', named('path'), { only: "path != ''" });
