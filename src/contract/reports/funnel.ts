import Type, { type Static } from 'typebox';
import { Dimensions, Limit, MoneyOf, Nullable, Texts, TOTAL_ROWS } from '../query-fields.ts';
import { By, Step, Within } from '../step.ts';
import { ReportAnswer, ReportQuery } from './report.ts';

/** Minimum and maximum number of steps of a funnel. */
export const FUNNEL_STEPS = { min: 2, max: 8 } as const;

/** Maximum number of rows of a funnel's breakdown. */
const FUNNEL_ROWS_MAX = 1_000;

const FIELDS = {
  within: Within,
  by: By,
  dimensions: Dimensions(
    ['visit', 'visitor'],
    'Dimensions of the visit in which the first step happened, or of its visitor.',
  ),
  limit: Limit(FUNNEL_ROWS_MAX, 'Number of rows of a breakdown, the largest groups first.'),
};
const REQUIRED = {
  steps: Type.Array(Step, {
    minItems: FUNNEL_STEPS.min,
    maxItems: FUNNEL_STEPS.max,
    description:
      'The steps in order; anything else may happen between them. The first step must happen in the date range. The others may follow after its end.',
    examples: [
      [
        { type: 'page', path: '/pricing' },
        { type: 'goal', name: 'signup' },
        { type: 'payment', kind: 'new' },
      ],
    ],
  }),
};

/** The body of `POST /api/v1/query/funnel`. */
export const Funnel = ReportQuery(FIELDS, REQUIRED);
export type Funnel = Static<typeof Funnel>;

const Percent = (description: string) => Nullable(Type.Number(), `${description}, in percent.`);
const Seconds = (description: string) =>
  Nullable(Type.Integer(), `${description}. Null if nobody reached it.`);

/** The figures of one step of a funnel. */
export const FunnelStepFigures = Type.Object({
  reached: Type.Integer({ description: 'How many reached this step.' }),
  conversion_rate: Percent('Share of the first step'),
  step_conversion_rate: Percent('Share of the previous step'),
  dropped_off: Nullable(
    Type.Integer(),
    'How many did not reach the next step. Null for the last step.',
  ),
  drop_off_rate: Percent('Share of this step that dropped off'),
  median_seconds: Seconds('Median time from the previous step. Null for the first step'),
  median_seconds_from_start: Seconds('Median time from the first step. Null for the first step'),
});
export type FunnelStepFigures = Static<typeof FunnelStepFigures>;

/** The answer to a {@link Funnel}. */
export const FunnelAnswer = ReportAnswer({
  row: {
    dimensions: Texts("In the order of the query's dimensions."),
    steps: Type.Array(FunnelStepFigures),
    revenue: MoneyOf(
      'Payments of everyone who reached the last step, from their first step to the end of their window, less refunds of these payments to date.',
    ),
  },
  meta: { total_rows: TOTAL_ROWS },
  query: { ...REQUIRED, ...FIELDS },
});
export type FunnelAnswer = Static<typeof FunnelAnswer>;
