import type { QueryAnswer, SentQuery } from '#contract/query.ts';
import type { Money } from '#contract/query-fields.ts';
import { DIMENSION_LABELS, METRIC_FORMS, type MetricName } from '#contract/reports/catalog.ts';
import type { Insight } from '#contract/reports/insights.ts';
import { findInsights } from '#report/insights/find-insights.ts';
import type { ReportSite } from '#report/ports.ts';
import { valueToNumber } from './format.ts';
import type { SummedDays } from './summed-days.ts';

/** A site with summaries and alerts. */
export type NotifiedSite = ReportSite & { readonly domain: string };

/** Runs a query for a site. Throws if it is refused. */
export type Ask = (site: NotifiedSite, query: SentQuery) => Promise<QueryAnswer>;

/** A metric's value in the period and in the previous one. */
export type Figure = {
  readonly metric: MetricName;
  readonly value: number | Money | null;
  readonly before: number | Money | null;
};

type Ranking = {
  readonly title: string;
  readonly rows: readonly { readonly name: string; readonly value: number | Money | null }[];
};

/** The contents of a summary. */
export type Figures = {
  readonly figures: readonly Figure[];
  readonly rankings: readonly Ranking[];
  /** What stands out in a week; empty for a month. */
  readonly insights: readonly Insight[];
};

/** The period of a summary. */
export type RhythmDays = SummedDays & { readonly rhythm: 'weekly' | 'monthly' };

const METRICS = ['revenue', 'visitors', 'visits', 'conversion_rate', 'customers'] as const;
const RANKINGS = [
  ['visit:source', 'revenue'],
  ['visit:source', 'visitors'],
  ['event:page', 'visitors'],
  ['event:goal', 'conversions'],
] as const;
const ROWS = 5;

/** Queries the figures of a period, compared with the previous period. */
export async function askFigures(
  ask: Ask,
  site: NotifiedSite,
  { from, to, rhythm }: RhythmDays,
): Promise<Figures> {
  const about = { site_id: site.domain, date_range: [from, to] as [string, string] };
  const totals = await ask(site, {
    ...about,
    metrics: [...METRICS],
    include: { compare: 'previous_period' },
  } as SentQuery);
  const row = totals.results[0];
  const rankings: Ranking[] = [];
  for (const [dimension, metric] of RANKINGS) {
    const answer = await ask(site, {
      ...about,
      ...{ metrics: [metric], dimensions: [dimension], order_by: [[metric, 'desc']] },
      pagination: { limit: ROWS },
    } as SentQuery);
    const rows = answer.results.map(({ dimensions: [name = ''], metrics: [value = null] }) => ({
      ...{ name, value: value as number | Money | null },
    }));
    const title = `${DIMENSION_LABELS[dimension]}s by ${METRIC_FORMS[metric].label.toLowerCase()}`;
    rankings.push({ title, rows: rows.filter(({ value }) => valueToNumber(value) !== 0) });
  }
  return {
    figures: METRICS.map((metric, at) => ({
      metric,
      value: (row?.metrics[at] ?? null) as Figure['value'],
      before: (row?.comparison?.metrics[at] ?? null) as Figure['value'],
    })),
    rankings: rankings.filter(({ rows }) => rows.length > 0),
    insights: rhythm === 'weekly' ? await askInsights(ask, site, to) : [],
  };
}

/** What stood out when the week was over, whenever the mail is sent. */
async function askInsights(ask: Ask, site: NotifiedSite, to: string): Promise<readonly Insight[]> {
  const over = Temporal.PlainDate.from(to).add({ days: 1 }).toZonedDateTime(site.timezone);
  const { results } = await findInsights((query) => ask(site, query), site, over.epochMilliseconds);
  return results;
}
