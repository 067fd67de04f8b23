import { eventDimension } from '../../dimension.ts';

/** Names of the custom parameters of the event: an event is in the row of each of its own. */
export const eventProperty = eventDimension(
  'event:property',
  'toString(arrayJoin(mapKeys(props)))',
  { only: 'notEmpty(mapKeys(props))', isMany: true },
);
