import Type, { type Static } from 'typebox';
import { OptionalText } from '../text.ts';

/** The state of the demo shop. */
export const DemoAnswer = Type.Object(
  {
    state: Type.Enum(['none', 'filling', 'ready', 'failed']),
    domain: Type.String(),
    visitors: Type.Integer({ description: 'The number of visitors sent so far.' }),
    visitors_in_all: Type.Integer({ description: 'The total; 0 until the first are sent.' }),
    message: OptionalText('Why it failed.'),
  },
  { description: 'The state of the demo shop.' },
);
export type DemoAnswer = Static<typeof DemoAnswer>;
