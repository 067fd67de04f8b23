import Type, { type Static } from 'typebox';
import { MONEY_META, Money } from './query.ts';
import { ANSWERED_FIELDS, Name, QUERY_FIELDS } from './query-fields.ts';
import { By, Step, Within } from './step.ts';

/** How many steps a funnel has. */
export const FUNNEL_STEPS = { min: 2, max: 8 } as const;

/** How many rows a funnel's breakdown has at most. */
export const FUNNEL_ROWS_MAX = 1_000;

/** A query for a funnel, as it is posted to `/api/v1/query/funnel`. */
export const Funnel = Type.Object(
  {
    ...QUERY_FIELDS,
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
    within: Type.Optional(Within),
    by: Type.Optional(By),
    dimensions: Type.Optional(
      Type.Array(Name('A dimension `visit:*` or `visitor:*`.'), {
        maxItems: 2,
        uniqueItems: true,
        description: 'Of the visit in which the first step happened, or of its visitor.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: FUNNEL_ROWS_MAX,
        description: 'How many rows of a breakdown are answered, those that most came to first.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type Funnel = Static<typeof Funnel>;

const Percent = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description}, in percent.` });
const Seconds = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description}; null for nobody.` });

/** What became of a funnel at one of its steps. */
export const FunnelStep = Type.Object({
  reached: Type.Integer({ description: 'How many came to this step.' }),
  conversion_rate: Percent('Of those who began'),
  step_conversion_rate: Percent('Of those who came to the step before'),
  dropped_off: Type.Union([Type.Integer(), Type.Null()], {
    description: 'How many did not come to the next step; null for the last.',
  }),
  drop_off_rate: Percent('Those of all who came to this step'),
  median_seconds: Seconds('Median time from the step before; null for the first'),
  median_seconds_from_start: Seconds('Median time from the first step; null for the first'),
});
export type FunnelStep = Static<typeof FunnelStep>;

/** The answer to a {@link Funnel}. */
export const FunnelAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      dimensions: Type.Array(Type.String(), { description: "In the order of the question's." }),
      steps: Type.Array(FunnelStep),
      revenue: Type.Object(Money.properties, {
        description:
          'What those who came to the last step paid within their window, from the first step on, less ' +
          'what was paid back of it since.',
      }),
    }),
  ),
  meta: Type.Object({
    total_rows: Type.Integer({ description: 'Rows there are without the limit.' }),
    ...MONEY_META,
  }),
  query: Type.Object(
    {
      ...ANSWERED_FIELDS,
      steps: Type.Array(Step),
      within: Within,
      by: By,
      dimensions: Type.Array(Type.String()),
      limit: Type.Integer(),
    },
    { description: 'The question as it was understood.' },
  ),
});
export type FunnelAnswer = Static<typeof FunnelAnswer>;
