import { eventDimension, NONE, named } from '../../dimension.ts';

/** Host of the page on which it happened. */
export const eventHostname = eventDimension('event:hostname', named('toString(hostname)', NONE), {
  only: "hostname != ''",
});
