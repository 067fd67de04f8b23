import { eventDimension, named } from '../../dimension.ts';

/** Host of the page of the event. */
export const eventHostname = eventDimension('event:hostname', named('toString(hostname)'), {
  only: "hostname != ''",
});
