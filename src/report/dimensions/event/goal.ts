import { type EventDimension, NONE } from '../../dimension.ts';

/** Name of the goal that was reached. */
export const eventGoal = {
  of: 'event',
  name: 'event:goal',
  sql: () => `if(type = 'goal', toString(name), '${NONE}')`,
  only: "type = 'goal'",
} as const satisfies EventDimension;
