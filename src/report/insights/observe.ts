import type { QueryAnswer, SentQuery } from '#contract/query.ts';
import type { ReportSite } from '../ports.ts';
import { fromMoney } from '../query/shape/to-answer-row.ts';
import { toWeeks, type WholeWeek } from './weeks.ts';

/** Answers a query about the site. Throws if the warehouse does not answer. */
export type AskSite = (query: SentQuery) => Promise<QueryAnswer>;

/** Figures by the name of their metric; money in minor units. */
export type WeekFigures = Readonly<Record<string, number>>;

/** A week: figures by dimension and value. The dimension `''` has the figures of all. */
export type ObservedWeek = WholeWeek & {
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, WeekFigures>>;
};

/** What is known of a site: this week and those before, latest first, and the figures of each day. */
export type Observed = {
  readonly weeks: readonly ObservedWeek[];
  readonly days: ReadonlyMap<string, WeekFigures>;
};

const SOURCES = ['visit:channel', 'visit:source', 'visit:campaign'];
const QUERIES: readonly Pick<SentQuery, 'metrics' | 'dimensions' | 'separately' | 'include'>[] = [
  {
    metrics: ['visitors', 'payments', 'revenue', 'new_customers'],
    dimensions: [...SOURCES, 'visit:country', 'visit:device'],
    separately: true,
    include: { totals: true },
  },
  {
    metrics: ['visits', 'visitors', 'new_customers'],
    dimensions: ['visit:entry_page', 'visit:exit_page'],
    separately: true,
  },
  { metrics: ['visits'], dimensions: ['event:page'] },
  { metrics: ['conversions'], dimensions: ['event:goal'] },
];
const OF_DAYS = ['visitors', 'payments', 'revenue', 'refunds', 'disputes'];

/** Asks for the figures of this week and of those before, back to the site's first whole one. */
export async function observe(ask: AskSite, site: ReportSite, now: number): Promise<Observed> {
  const all = toWeeks(now, site.timezone);
  const about = { site_id: site.id };
  const range = (from = '', to = ''): [string, string] => [from, to];
  const days = await ask({
    ...{ ...about, metrics: OF_DAYS, dimensions: ['time:day'] },
    date_range: range(all.at(-1)?.from, all[0]?.to),
  });
  const byDay = new Map(
    days.results.map((row) => [row.dimensions[0] ?? '', toFigures(row, OF_DAYS)]),
  );
  const weeks: ObservedWeek[] = [];
  for (const { from, to } of wholeWeeks(all, byDay)) {
    const asked = QUERIES.map((query) => ask({ ...about, ...query, date_range: range(from, to) }));
    weeks.push({ from, to, tables: toTables(await Promise.all(asked)) });
  }
  return { weeks, days: byDay };
}

/** This week, and those before since the site's second day with visitors: the first may have begun at noon. */
function wholeWeeks(all: readonly WholeWeek[], byDay: Observed['days']): readonly WholeWeek[] {
  const first = [...byDay].find(([, { visitors = 0 }]) => visitors > 0)?.[0];
  const isOlder = first === all.at(-1)?.from; // Before the days that were asked for.
  return all.filter(({ from }, back) => back === 0 || isOlder || (first ?? from) < from);
}

function toTables(answers: readonly QueryAnswer[]): ObservedWeek['tables'] {
  const tables = new Map<string, Map<string, WeekFigures>>();
  const put = (dimension: string, value: string, figures: WeekFigures) => {
    const table = tables.getOrInsertComputed(dimension, () => new Map());
    table.set(value, { ...table.get(value), ...figures });
  };
  for (const [index, { dimensions = [], metrics, separately }] of QUERIES.entries()) {
    const { results = [], totals } = answers[index] ?? {};
    if (totals) put('', '', toFigures(totals, metrics));
    for (const row of results) {
      const [first = '', second = ''] = row.dimensions;
      const [dimension, value] = separately ? [first, second] : [dimensions[0] ?? '', first];
      put(dimension, value, toFigures(row, metrics));
    }
  }
  return tables;
}

type Row = Pick<QueryAnswer['results'][number], 'metrics'>;

function toFigures({ metrics }: Row, names: readonly string[]): WeekFigures {
  return Object.fromEntries(metrics.map((value, index) => [names[index] ?? '', toMinor(value)]));
}

function toMinor(value: Row['metrics'][number]): number {
  if (value === null) return 0;
  return typeof value === 'object' ? Number(fromMoney(value)) : value;
}
