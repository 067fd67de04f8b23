import type { QueryAnswer, SentQuery } from '#contract/query.ts';
import { METRIC_FORMS, type MetricName } from '#contract/reports/catalog.ts';
import { isShared } from '#contract/reports/combined.ts';
import { type Rate, SAME } from '#domain/money/rates/convert-money.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import { type BucketUnit, toBuckets } from '#domain/time/buckets.ts';
import type { Compared } from '#domain/time/compared-periods.ts';
import type { Period } from '#domain/time/period.ts';
import type { Refusal, ReportSite } from '../ports.ts';
import { toAnsweredRange } from '../query/shape/to-answer-row.ts';
import {
  type Conversion,
  type KeyedRow,
  rateOn,
  type Summand,
  toSummands,
} from './convert-rows.ts';

type Row = Pick<QueryAnswer['results'][number], 'dimensions' | 'metrics'>;

/** A site among others. */
export type CombinedSite = ReportSite & { readonly domain: string };

/** What is asked of a site in one of its periods. */
type AskedOfSite = {
  readonly site: CombinedSite;
  readonly period: Period;
  readonly metrics: readonly MetricName[];
  /** `site`, or a dimension of a query: of time with its unit, or of another kind. */
  readonly dimension: string;
  readonly filters: SentQuery['filters'];
  readonly attribution: SentQuery['attribution'];
  readonly converting: Conversion;
};

/** What a site answers. */
export type SiteRows = {
  readonly rows: readonly KeyedRow[];
  /** What adds up to its totals; none by dimensions whose rows share visitors. */
  readonly totals: readonly KeyedRow[];
  /** Days without a rate: their {@link NOTED} metrics, in the site's currency. */
  readonly lacking: readonly Row['metrics'][];
  readonly metas: readonly QueryAnswer['meta'][];
};

/** A site with its own days of the period, and of the one that it is compared with. */
export type SiteDays = {
  readonly site: CombinedSite;
  readonly period: Period;
  readonly compared: Compared | undefined;
};

/** What sites answered in both. */
export type AnsweredSite = SiteDays & { readonly now: SiteRows; readonly earlier?: SiteRows };

/** Answers a query of the site. */
type AskSite = (sent: SentQuery) => Promise<Result<QueryAnswer, Refusal>>;

/** What says how much money lacks a rate. */
export const NOTED = ['payments', 'gross_revenue', 'refunds'] as const;

/** One of a site's queries, and what its rows are to be added up by. */
type Part = {
  readonly metrics: readonly MetricName[];
  readonly dimensions: readonly string[];
  readonly keyOf: (row: Row) => string;
  readonly rateOf: (row: Row) => Rate;
  /** Whether it is of money, by day. */
  readonly isConverted: boolean;
};

/** Asks a site for counts and, by day unless it is in the chosen currency already, for its money. */
export async function askSite(
  asked: AskedOfSite,
  ask: AskSite,
): Promise<Result<SiteRows, Refusal>> {
  const found: SiteRows[] = [];
  for (const part of toParts(asked)) {
    const answered = await askPart(asked, part, ask);
    if (!answered.ok) return answered;
    found.push(answered.value);
  }
  return ok({
    rows: found.flatMap(({ rows }) => rows),
    totals: found.flatMap(({ totals }) => totals),
    lacking: found.flatMap(({ lacking }) => lacking),
    metas: found.flatMap(({ metas }) => metas),
  });
}

/** Whether a metric is money. */
export function isMoney(metric: MetricName): boolean {
  return METRIC_FORMS[metric].unit === 'money';
}

function toParts({ site, period, metrics, dimension, converting }: AskedOfSite): readonly Part[] {
  const areShared = isShared(dimension);
  const own = dimension === 'site' ? [] : [dimension];
  const toKey = (name: string | undefined) => (dimension === 'site' ? site.domain : (name ?? ''));
  const isConverted = converting.from !== converting.to;
  const whole: Part = {
    metrics: isConverted ? metrics.filter((metric) => !isMoney(metric)) : metrics,
    ...{ dimensions: own, isConverted: false, rateOf: () => SAME },
    keyOf: ({ dimensions }) => toKey(dimensions[0]),
  };
  if (!isConverted || !metrics.some(isMoney)) return [whole];
  const [, unit = 'day'] = dimension.split(/^time:/);
  const bucketOf = toBucketOf(period, unit as BucketUnit);
  const byDay: Part = {
    metrics: [...new Set([...NOTED, ...metrics.filter(isMoney)])],
    dimensions: [unit === 'hour' ? dimension : 'time:day', ...(areShared ? own : [])],
    isConverted: true,
    keyOf: ({ dimensions: [time = '', name] }) => toKey(areShared ? name : bucketOf(time)),
    rateOf: ({ dimensions: [time = ''] }) => rateOn(time.slice(0, 10), converting),
  };
  return whole.metrics.length > 0 ? [whole, byDay] : [byDay];
}

/** The bucket that a day of the period is in. */
function toBucketOf(period: Period, unit: BucketUnit): (day: string) => string {
  if (unit !== 'week' && unit !== 'month') return (label) => label;
  const { timeZone } = period;
  const days = toBuckets(period, 'day').map(
    (at) => [toBucketLabel(at, 'day', timeZone), toBucketLabel(at, unit, timeZone)] as const,
  );
  const bucketByDay = new Map(days);
  return (day) => bucketByDay.get(day) ?? day;
}

/** Nobody reads more rows than these pages have, each of which is a query of its own. */
const PAGES_MAX = 10;
const TOO_MANY = 'has too many rows to convert day by day. Take a shorter one.';

async function askPart(
  asked: AskedOfSite,
  part: Part,
  ask: AskSite,
): Promise<Result<SiteRows, Refusal>> {
  const { site, period, filters, attribution, dimension } = asked;
  const areShared = isShared(dimension);
  const sent: SentQuery = {
    ...{ site_id: site.id, metrics: [...part.metrics], dimensions: [...part.dimensions] },
    date_range: toAnsweredRange(period),
    ...(filters && { filters }),
    ...(attribution && { attribution }),
    ...(!part.isConverted && !areShared && { include: { totals: true } }),
  };
  // Of counts, the rows beyond the first page are the smallest.
  const pages = await askPages(sent, ask, areShared && !part.isConverted);
  if (!pages.ok) return pages;
  const rows = pages.value.flatMap(({ results }) => results);
  const totals = pages.value.flatMap(({ totals = [] }) => totals);
  const toRow = (row: Row): KeyedRow => ({
    key: part.keyOf(row),
    values: inOrder(asked.metrics, part.metrics, toSummands(row.metrics, part.rateOf(row))),
  });
  return ok({
    rows: rows.map(toRow),
    totals: (areShared ? [] : part.isConverted ? rows : totals).map(toRow),
    lacking: rows.filter((row) => part.rateOf(row).divisor === 0n).map(({ metrics }) => metrics),
    metas: pages.value.map(({ meta }) => meta),
  });
}

/** The answer's pages; of a cut one, the first. */
async function askPages(
  sent: SentQuery,
  ask: AskSite,
  isCut: boolean,
): Promise<Result<QueryAnswer[], Refusal>> {
  const pages: QueryAnswer[] = [];
  let cursor: string | undefined;
  do {
    if (pages.length === PAGES_MAX) {
      const details = [{ path: '/date_range', message: TOO_MANY }];
      return refuse({ type: 'invalid_request', details });
    }
    const answer = await ask({ ...sent, ...(cursor && { pagination: { cursor } }) });
    if (!answer.ok) return answer;
    pages.push(answer.value);
    cursor = answer.value.meta.next_cursor;
  } while (cursor !== undefined && !isCut);
  return ok(pages);
}

/** Values in the order of all metrics: those of other parts add nothing. */
function inOrder(
  all: readonly MetricName[],
  own: readonly MetricName[],
  values: readonly Summand[],
): readonly Summand[] {
  return all.map((metric) => values[own.indexOf(metric)] ?? (isMoney(metric) ? 0n : 0));
}
