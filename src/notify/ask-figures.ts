import type { QueryAnswer, SentQuery } from '#contract/query.ts';
import type { Money } from '#contract/query-fields.ts';
import type { ReportSite } from '#report/ports.ts';

/** A site with summaries and alerts. */
export type NotifiedSite = ReportSite & { readonly domain: string };

/** Runs a query for a site. Throws if it is refused. */
export type Ask = (site: NotifiedSite, query: SentQuery) => Promise<QueryAnswer>;

/** A metric's value in the period and in the previous one. */
export type Figure = {
  readonly name: string;
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
};

/** The figure that is a percentage. */
export const RATE = 'Conversion rate';
const METRICS = [
  ['revenue', 'Revenue'],
  ['visitors', 'Visitors'],
  ['visits', 'Visits'],
  ['conversion_rate', RATE],
  ['customers', 'Customers'],
] as const;
const RANKINGS = [
  ['Sources by revenue', 'visit:source', 'revenue'],
  ['Sources by visitors', 'visit:source', 'visitors'],
  ['Pages by visitors', 'event:page', 'visitors'],
  ['Goals by conversions', 'event:goal', 'conversions'],
] as const;
const ROWS = 5;

/** Queries the figures of a period, compared with the previous period. */
export async function askFigures(
  ask: Ask,
  site: NotifiedSite,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Figures> {
  const about = { site_id: site.domain, date_range: [from, to] as [string, string] };
  const totals = await ask(site, {
    ...about,
    metrics: METRICS.map(([name]) => name),
    include: { compare: 'previous_period' },
  } as SentQuery);
  const row = totals.results[0];
  const rankings: Ranking[] = [];
  for (const [title, dimension, metric] of RANKINGS) {
    const answer = await ask(site, {
      ...about,
      ...{ metrics: [metric], dimensions: [dimension], order_by: [[metric, 'desc']] },
      pagination: { limit: ROWS },
    } as SentQuery);
    const rows = answer.results.map(({ dimensions: [name = ''], metrics: [value = null] }) => ({
      ...{ name, value: value as number | Money | null },
    }));
    rankings.push({ title, rows: rows.filter(({ value }) => valueToNumber(value) !== 0) });
  }
  return {
    figures: METRICS.map(([, name], at) => ({
      name,
      value: (row?.metrics[at] ?? null) as Figure['value'],
      before: (row?.comparison?.metrics[at] ?? null) as Figure['value'],
    })),
    rankings: rankings.filter(({ rows }) => rows.length > 0),
  };
}

/** A figure as a number, for comparing. */
export function valueToNumber(value: number | Money | null): number {
  return typeof value === 'object' ? Number(value?.value ?? 0) : value;
}
