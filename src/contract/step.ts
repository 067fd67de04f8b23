import Type, { type Static } from 'typebox';
import { optional } from './optional.ts';
import { Strict } from './query-fields.ts';
import { Text } from './text.ts';

/** Types of steps in a funnel or journey. */
const STEP_TYPES = ['page', 'goal', 'payment'] as const;

/** Payments that a step can match. `any` means all above 0; a trial is a payment of 0. */
const PAYMENT_KINDS = ['any', 'new', 'renewal', 'trial'] as const;

/** Maximum length of a path or goal name in a step, wildcards included. */
export const STEP_TEXT_LENGTH_MAX = 500;

const Pattern = (what: string, examples: readonly string[]) =>
  Text({
    minLength: 1,
    maxLength: STEP_TEXT_LENGTH_MAX,
    description: `${what}. \`*\` matches anything but a slash, \`**\` matches anything.`,
    examples: [...examples],
  });

const STEP_TYPES_DESCRIPTION =
  'A `page` has a `path`, a `goal` a `name`; a `payment` may have a `kind`.';

const DETAILS = optional({
  path: Pattern('Path of the page', ['/pricing', '/docs/**']),
  name: Pattern('Name of the goal', ['signup', 'trial_*']),
  kind: Type.Enum([...PAYMENT_KINDS], {
    description:
      '`any` (default): payments above 0; `new`: without renewals; `renewal`: renewals only; `trial`: payments of 0.',
  }),
});

/** A step of a funnel or journey: a pageview, a goal or a payment. */
export const Step = Strict(
  { type: Type.Enum([...STEP_TYPES], { description: STEP_TYPES_DESCRIPTION }), ...DETAILS },
  'Step',
);
export type Step = Static<typeof Step>;

/** The start of a journey: a given step, or the first page or goal. */
export const Beginning = Strict({
  type: Type.Enum([...STEP_TYPES, 'visit'], {
    description: `${STEP_TYPES_DESCRIPTION} A \`visit\` begins with any first page or goal.`,
  }),
  ...DETAILS,
});
export type Beginning = Static<typeof Beginning>;

/** The longest window between the first and the last step. */
const WINDOW_DAYS_MAX = 90;

const upTo = (maximum: number) => Type.Integer({ minimum: 1, maximum });

/** The window of a funnel or journey: one visit, or a duration. */
export const Within = Type.Union(
  [
    Type.Enum(['visit'] as const),
    Strict({ days: upTo(WINDOW_DAYS_MAX) }),
    Strict({ hours: upTo(WINDOW_DAYS_MAX * 24) }),
    Strict({ seconds: upTo(WINDOW_DAYS_MAX * 86_400) }),
  ],
  {
    title: 'Within',
    description: `\`visit\`, or one of \`{"days": 1}\` to \`{"days": ${WINDOW_DAYS_MAX}}\`, \`{"hours": 1}\` to \`{"hours": ${WINDOW_DAYS_MAX * 24}}\` and \`{"seconds": 1}\` to \`{"seconds": ${WINDOW_DAYS_MAX * 86_400}}\`.`,
  },
);
export type Within = Static<typeof Within>;

/** Whether actions are grouped by person or by visitor. */
export const By = Type.Enum(['person', 'visitor'] as const, {
  description:
    '`person` (default): visitors known to be the same customer count as one, and payments without a visitor are matched to their person. `visitor`: each visitor counts alone.',
});
export type By = Static<typeof By>;
