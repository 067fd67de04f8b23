import Type, { type Static } from 'typebox';
import { OwnSiteId } from '../live.ts';
import { MetricValue } from '../query.ts';
import { MONEY_META, Nullable, Texts } from '../query-fields.ts';

const INSIGHT_KINDS = [
  'visitors',
  'revenue',
  'goal',
  'refunds',
  'disputes',
  'conversion',
  'contrast',
  'exits',
  'day_visitors',
  'day_revenue',
] as const;
/** What an insight is about. */
export type InsightKind = (typeof INSIGHT_KINDS)[number];

const Days = (description: string) =>
  Type.Tuple([Type.String(), Type.String()], {
    description,
    examples: [['2026-11-23', '2026-11-29']],
  });

const Insight = Type.Object(
  {
    kind: Type.Enum([...INSIGHT_KINDS], {
      description:
        '`conversion`: more or fewer visitors than usual became customers; `contrast`: more or fewer than of all others; `exits`: more or fewer visits to a page than usual ended there.',
    }),
    sentence: Type.String({
      examples: ['ChatGPT brought 412 visitors, three times as many as in a usual week.'],
    }),
    value: MetricValue,
    usual: {
      ...MetricValue,
      description:
        'The average of the weeks before; of a `contrast`, the value of all others. In percent, like `value`, where the kind is a rate.',
    },
    chance: Type.Number({
      description: 'How likely such a difference would be if nothing had changed.',
    }),
    query: Type.Object(
      {
        metrics: Texts('Metrics of `/api/v1/query`.'),
        date_range: Days('The first and the last day.'),
        filters: Type.Array(Type.Array(Type.Unknown())),
      },
      {
        description:
          'The query with these figures. A rate is its first metric as a share of the second; of `exits`, of the visits to the page.',
      },
    ),
  },
  { title: 'Insight' },
);
/** One thing worth knowing. */
export type Insight = Static<typeof Insight>;

/** The parameters of the request for insights. */
export const InsightsParams = Type.Object({ site_id: OwnSiteId });

/** The answer to `GET /api/v1/insights`. */
export const InsightsAnswer = Type.Object(
  {
    results: Type.Array(Insight, { description: 'At most five; none if nothing stands out.' }),
    week: Days('The last seven whole days.'),
    compared_with: Nullable(
      Days('The weeks before.'),
      'Null until the site has had visitors for enough whole weeks before.',
    ),
    weeks: Type.Integer({ description: 'The number of weeks before, at most eight.' }),
    weeks_needed: Type.Integer({ description: 'With fewer weeks, nothing is compared.' }),
    meta: Type.Object({ behind_seconds: MONEY_META.behind_seconds }),
  },
  { description: 'What stands out in the last week.' },
);
export type InsightsAnswer = Static<typeof InsightsAnswer>;
