import Type, { type Static } from 'typebox';
import { optional } from './optional.ts';
import { Text } from './text.ts';

/** The kinds of things that visitors do, as a funnel or a journey names them. */
export const STEP_TYPES = ['page', 'goal', 'payment'] as const;

/** Which payments a step is about. `any` are all above 0; a trial is a payment of 0. */
export const PAYMENT_KINDS = ['any', 'new', 'renewal', 'trial'] as const;

/** How long a page or the name of a goal in a step may be, stars included. */
export const STEP_TEXT_LENGTH_MAX = 500;

const Pattern = (what: string, examples: readonly string[]) =>
  Text({
    minLength: 1,
    maxLength: STEP_TEXT_LENGTH_MAX,
    description: `${what}; \`*\` stands for anything but a slash, \`**\` for anything.`,
    examples: [...examples],
  });

const STEP_TYPES_DESCRIPTION =
  'A `page` has a `path`, a `goal` a `name`; a `payment` may have a `kind`.';

const DETAILS = optional({
  path: Pattern('Path of the page', ['/pricing', '/docs/**']),
  name: Pattern('Name of the goal', ['signup', 'trial_*']),
  kind: Type.Enum([...PAYMENT_KINDS], {
    description:
      '`any` payment above 0 (when left out), only `new` ones, only `renewal`s, or `trial`s: payments of 0.',
  }),
});

/** Something that visitors do: a page that is shown to them, a goal that they reach, a payment. */
export const Step = Type.Object(
  { type: Type.Enum([...STEP_TYPES], { description: STEP_TYPES_DESCRIPTION }), ...DETAILS },
  { additionalProperties: false },
);
export type Step = Static<typeof Step>;

/** What a journey begins with: a step, or the first thing that somebody does, whatever it is. */
export const Beginning = Type.Object(
  {
    type: Type.Enum([...STEP_TYPES, 'visit'], {
      description: `${STEP_TYPES_DESCRIPTION} \`visit\` is the first page or goal, whichever it is.`,
    }),
    ...DETAILS,
  },
  { additionalProperties: false },
);
export type Beginning = Static<typeof Beginning>;

/** How far apart what belongs together may lie, at most. */
export const WINDOW_DAYS_MAX = 90;

const upTo = (maximum: number) => Type.Integer({ minimum: 1, maximum });
const only = { additionalProperties: false };

/** Within one visit, or within a stretch of time. */
export const Within = Type.Union(
  [
    Type.Enum(['visit'] as const),
    Type.Object({ days: upTo(WINDOW_DAYS_MAX) }, only),
    Type.Object({ hours: upTo(WINDOW_DAYS_MAX * 24) }, only),
    Type.Object({ seconds: upTo(WINDOW_DAYS_MAX * 86_400) }, only),
  ],
  {
    description:
      `\`visit\`, or one of \`{"days": 1}\` to \`{"days": ${WINDOW_DAYS_MAX}}\`, \`{"hours": 1}\` to ` +
      `\`{"hours": ${WINDOW_DAYS_MAX * 24}}\` and \`{"seconds": 1}\` to \`{"seconds": ${WINDOW_DAYS_MAX * 86_400}}\`.`,
  },
);
export type Within = Static<typeof Within>;

/** Whose actions are put together. */
export const By = Type.Enum(['person', 'visitor'] as const, {
  description:
    '`person` (when left out): visitors known to be the same customer are one, and payments that name no ' +
    'visitor find theirs; or each `visitor` alone.',
});
export type By = Static<typeof By>;
