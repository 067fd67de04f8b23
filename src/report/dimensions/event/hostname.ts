import { NONE } from '#contract/row-labels.ts';
import { eventDimension, named } from '../../dimension.ts';

/** Host of the page of the event. */
export const eventHostname = eventDimension('event:hostname', named('toString(hostname)', NONE), {
  only: "hostname != ''",
});
