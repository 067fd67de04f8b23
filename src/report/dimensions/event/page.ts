import { NONE } from '#contract/row-labels.ts';
import { eventDimension, named } from '../../dimension.ts';

/** Path of the page of the event. */
export const eventPage = eventDimension('event:page', named('path', NONE), { only: "path != ''" });
