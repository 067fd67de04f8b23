import { NONE } from '#domain/row-labels.ts';
import { eventDimension } from '../../dimension.ts';

/** Name of the goal. */
export const eventGoal = eventDimension(
  'event:goal',
  `if(type = 'goal', toString(name), '${NONE}')`,
  { only: "type = 'goal'" },
);
