import Type, { type Static } from 'typebox';
import { optional } from '../optional.ts';
import { Limit, MoneyOf, Nullable } from '../query-fields.ts';
import { Beginning, By, STEP_TEXT_LENGTH_MAX, Step, Within } from '../step.ts';
import { Text } from '../text.ts';
import { ReportAnswer, ReportQuery } from './report.ts';

/** Limits of a journeys query: steps, paths after each step, all branches, and folds. */
export const JOURNEYS_MAX = { depth: 8, breadth: 20, branches: 10_000, folds: 20 } as const;

const ANCHORS = { from: Beginning, to: Step };
const FIELDS = {
  within: Within,
  by: By,
  depth: Limit(JOURNEYS_MAX.depth, 'Number of steps to list.'),
  breadth: Limit(JOURNEYS_MAX.breadth, 'Number of most common paths to list after each step.'),
  after: Type.Array(Step, {
    maxItems: JOURNEYS_MAX.depth,
    description:
      'Only journeys that begin with these steps, written as in an answer. The list starts after them.',
    examples: [[{ type: 'page', path: '/pricing' }]],
  }),
  fold: Type.Array(Text({ minLength: 1, maxLength: STEP_TEXT_LENGTH_MAX }), {
    maxItems: JOURNEYS_MAX.folds,
    uniqueItems: true,
    description:
      'Path patterns. Pages that match a pattern count as one page, named by the pattern.',
    examples: [['/blog/**']],
  }),
};

/** The body of `POST /api/v1/query/journeys`. */
export const Journeys = ReportQuery({ ...ANCHORS, ...FIELDS });
export type Journeys = Static<typeof Journeys>;

/** The answer to {@link Journeys}. */
export const JourneysAnswer = ReportAnswer({
  row: {
    path: Type.Array(Step, {
      description:
        'The steps forward from `from`, or backward from `to`. The anchor itself and the steps of `after` are left out. The first row, the total, has an empty path.',
    }),
    reached: Type.Integer({ description: 'How many followed this path.' }),
    share: Nullable(Type.Number(), 'Share of the total, in percent.'),
    ended: Type.Integer({ description: 'How many of them did nothing else in the window.' }),
    other: Type.Integer({ description: 'How many continued on paths that are not listed.' }),
    revenue: MoneyOf(
      'Their payments in the window from `from` or `to` on, less refunds of these payments to date.',
    ),
  },
  query: { ...FIELDS, ...optional(ANCHORS) },
});
export type JourneysAnswer = Static<typeof JourneysAnswer>;
