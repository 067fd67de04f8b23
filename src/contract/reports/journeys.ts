import Type, { type Static } from 'typebox';
import { optional } from '../optional.ts';
import { Limit, MoneyOf, Nullable } from '../query-fields.ts';
import { Beginning, By, STEP_TEXT_LENGTH_MAX, Step, Within } from '../step.ts';
import { Text } from '../text.ts';
import { ReportAnswer, ReportQuery } from './report.ts';

/** How deep and how wide journeys are listed, and how many branches that may come to. */
export const JOURNEYS_MAX = { depth: 8, breadth: 20, branches: 10_000, folds: 20 } as const;

const ANCHORS = { from: Beginning, to: Step };
const FIELDS = {
  within: Within,
  by: By,
  depth: Limit(JOURNEYS_MAX.depth, 'How many steps are listed.'),
  breadth: Limit(
    JOURNEYS_MAX.breadth,
    'How many of the most common paths are listed after each step.',
  ),
  after: Type.Array(Step, {
    maxItems: JOURNEYS_MAX.depth,
    description:
      'Only those whose path begins with these, each as an answer names it; what is listed comes after them.',
    examples: [[{ type: 'page', path: '/pricing' }]],
  }),
  fold: Type.Array(Text({ minLength: 1, maxLength: STEP_TEXT_LENGTH_MAX }), {
    maxItems: JOURNEYS_MAX.folds,
    uniqueItems: true,
    description:
      'Patterns of paths: pages that match one of them count as one, named by the pattern.',
    examples: [['/blog/**']],
  }),
};

/** A query for journeys, as it is posted to `/api/v1/query/journeys`. */
export const Journeys = ReportQuery({ ...ANCHORS, ...FIELDS });
export type Journeys = Static<typeof Journeys>;

/** The answer to {@link Journeys}. */
export const JourneysAnswer = ReportAnswer({
  row: {
    path: Type.Array(Step, {
      description:
        'What was done, outward from `from` (what came next first) or from `to` (what came last before it ' +
        'first), which itself is left out, as are the steps of `after`: the first row, of all, has none.',
    }),
    reached: Type.Integer({ description: 'How many took this path so far.' }),
    share: Nullable(Type.Number(), 'Of all, in percent.'),
    ended: Type.Integer({ description: 'How many of them did nothing further in the window.' }),
    other: Type.Integer({ description: 'How many went on by paths that are not listed.' }),
    revenue: MoneyOf(
      'What they paid from `from` or `to` on within the window, less what was paid back of it since.',
    ),
  },
  query: { ...FIELDS, ...optional(ANCHORS) },
});
export type JourneysAnswer = Static<typeof JourneysAnswer>;
