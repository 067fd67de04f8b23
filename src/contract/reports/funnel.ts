import Type, { type Static } from 'typebox';
import { Dimensions, Limit, MoneyOf, Nullable, Texts, TOTAL_ROWS } from '../query-fields.ts';
import { By, Step, Within } from '../step.ts';
import { ReportAnswer, ReportQuery } from './report.ts';

/** How many steps a funnel has. */
export const FUNNEL_STEPS = { min: 2, max: 8 } as const;

/** How many rows a funnel's breakdown has at most. */
export const FUNNEL_ROWS_MAX = 1_000;

const FIELDS = {
  within: Within,
  by: By,
  dimensions: Dimensions(
    ['visit', 'visitor'],
    'Of the visit in which the first step happened, or of its visitor.',
  ),
  limit: Limit(
    FUNNEL_ROWS_MAX,
    'How many rows of a breakdown are answered, those that most came to first.',
  ),
};
const NEEDED = {
  steps: Type.Array(Step, {
    minItems: FUNNEL_STEPS.min,
    maxItems: FUNNEL_STEPS.max,
    description:
      'What is done, one after the other, with whatever else between. The first must happen in the ' +
      'date range; the others may follow after its end.',
    examples: [
      [
        { type: 'page', path: '/pricing' },
        { type: 'goal', name: 'signup' },
        { type: 'payment', kind: 'new' },
      ],
    ],
  }),
};

/** A query for a funnel, as it is posted to `/api/v1/query/funnel`. */
export const Funnel = ReportQuery(FIELDS, NEEDED);
export type Funnel = Static<typeof Funnel>;

const Percent = (description: string) => Nullable(Type.Number(), `${description}, in percent.`);
const Seconds = (description: string) =>
  Nullable(Type.Integer(), `${description}; null for nobody.`);

/** What became of a funnel at one of its steps. */
export const FunnelStep = Type.Object({
  reached: Type.Integer({ description: 'How many came to this step.' }),
  conversion_rate: Percent('Of those who began'),
  step_conversion_rate: Percent('Of those who came to the step before'),
  dropped_off: Nullable(
    Type.Integer(),
    'How many did not come to the next step; null for the last.',
  ),
  drop_off_rate: Percent('Those of all who came to this step'),
  median_seconds: Seconds('Median time from the step before; null for the first'),
  median_seconds_from_start: Seconds('Median time from the first step; null for the first'),
});
export type FunnelStep = Static<typeof FunnelStep>;

/** The answer to a {@link Funnel}. */
export const FunnelAnswer = ReportAnswer({
  row: {
    dimensions: Texts("In the order of the query's."),
    steps: Type.Array(FunnelStep),
    revenue: MoneyOf(
      'What those who came to the last step paid within their window, from the first step on, less ' +
        'what was paid back of it since.',
    ),
  },
  meta: { total_rows: TOTAL_ROWS },
  query: { ...NEEDED, ...FIELDS },
});
export type FunnelAnswer = Static<typeof FunnelAnswer>;
