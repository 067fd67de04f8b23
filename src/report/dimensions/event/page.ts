import { eventDimension, NONE, named } from '../../dimension.ts';

/** Path of the page that was shown, or on which the event happened. */
export const eventPage = eventDimension('event:page', named('path', NONE), { only: "path != ''" });
