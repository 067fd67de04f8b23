import type { Fault } from '#contract/fault.ts';
import type { QueryAnswer, Query as SentQuery } from '#contract/query.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import { toBuckets } from '#domain/time/buckets.ts';
import { learnEffects } from '../attribution/learn-effects.ts';
import type { FileFormat, ReportSite, ReportWarehouse, Stops } from '../ports.ts';
import type { Refusal } from '../refusal.ts';
import type { AskedQuery, QueryScheduler } from '../scheduler/query-scheduler.ts';
import type { WarehouseOf } from '../scheduler/scheduled-warehouse.ts';
import { toCursor } from './parse/cursor.ts';
import { findMoreFaults } from './parse/find-more-faults.ts';
import { type Clock, toAnsweredRange } from './parse/parse-fields.ts';
import { parseQuery } from './parse/parse-query.ts';
import { understand } from './parse/resolve-query.ts';
import type { Query } from './query.ts';
import { compareWith, findEarlier } from './shape/compare.ts';
import { findConversions } from './shape/find-conversions.ts';
import { toAnswerRow, type WarehouseRow } from './shape/to-answer-row.ts';
import { toFileStatement } from './sql/file-statement.ts';
import { toCountStatement, toStatement } from './sql/statement.ts';
import { withinLimits } from './within-limits.ts';

/** Answers queries about sites. */
export interface Report {
  /**
   * The answer to a query that has the contract's form.
   *
   * - Refuses names that are not there and combinations without a meaning.
   * - Throws when the warehouse does not answer, and when it is stopped while nobody else waits for the same.
   */
  answer(site: ReportSite, sent: SentQuery, stops?: Stops): Promise<Result<QueryAnswer, Refusal>>;
  /** The same rows as a file, without what an answer tells besides. Refuses to compare in one. */
  answerFile(
    site: ReportSite,
    sent: SentQuery,
    format: FileFormat,
    stops?: Stops,
  ): Promise<Result<Buffer, Refusal>>;
  /** What else is wrong with a query that has these faults of form, as far as one can tell. */
  findMoreFaults(site: ReportSite, sent: unknown, faults: readonly Fault[]): readonly Fault[];
}

/** A report on what the warehouse holds. `now` in milliseconds, UTC: where `today` is. */
export function createReport(deps: {
  readonly warehouseOf: WarehouseOf;
  readonly turns: QueryScheduler;
  readonly now: () => number;
}): Report {
  const { warehouseOf } = deps;
  const toQuery = ({ site, asked, how: format }: AskedReport, now: number) =>
    understand(warehouseOf(site), {
      ...{ asked, site, now },
      parse: (clock) => parse(asked, site, { clock, format }),
    });
  const inTurn = deps.turns.ofKind<SentQuery, FileFormat | undefined>(
    ({ site, asked, how: format }) =>
      !parse(asked, site, { clock: { now: deps.now() }, format }).ok,
  );

  async function answer(
    site: ReportSite,
    sent: SentQuery,
    stops: Stops | undefined,
  ): Promise<Result<QueryAnswer, Refusal>> {
    const now = deps.now();
    const understood = await toQuery({ site, asked: sent, how: undefined }, now);
    if (!understood.ok) return understood;
    const { query } = understood.value;
    const ask = async (warehouse: ReportWarehouse) => {
      return toAnswer(warehouse, sent, await learnEffects(warehouse, query), now);
    };
    return withinLimits(warehouseOf(site), ask, stops);
  }

  async function answerFile(
    site: ReportSite,
    sent: SentQuery,
    format: FileFormat,
    stops: Stops | undefined,
  ): Promise<Result<Buffer, Refusal>> {
    const now = deps.now();
    const understood = await toQuery({ site, asked: sent, how: format }, now);
    if (!understood.ok) return understood;
    const { query } = understood.value;
    const ask = async (warehouse: ReportWarehouse) => {
      const learned = await learnEffects(warehouse, query);
      return warehouse.selectFile(toFileStatement(learned, now), format);
    };
    return withinLimits(warehouseOf(site), ask, stops);
  }

  return {
    answer: (site, asked, leaves) =>
      inTurn({ site, asked, how: undefined }, (stops) => answer(site, asked, stops), leaves),
    answerFile(site, asked, format, leaves) {
      const inFormat = { site, asked, how: format };
      return inTurn(inFormat, (stops) => answerFile(site, asked, format, stops), leaves);
    },
    findMoreFaults: (site, sent, faults) => findMoreFaults(sent, faults, site, deps.now()),
  };
}

type AskedReport = AskedQuery<SentQuery, FileFormat | undefined>;

/** What is asked, as rows of an answer or as a file. */
function parse(
  sent: SentQuery,
  site: ReportSite,
  { clock, format }: { readonly clock: Clock; readonly format: FileFormat | undefined },
): Result<{ readonly query: Query }, Refusal> {
  const query = parseQuery(sent, site, clock);
  if (!query.ok) return query;
  const isRefused = format !== undefined && query.value.comparedWith !== undefined;
  return isRefused ? refuse(NO_COMPARISON) : ok({ query: query.value });
}

const NO_COMPARISON: Refusal = {
  type: 'invalid_request',
  details: [
    {
      path: '/include/compare',
      message: 'Parquet and Arrow compare nothing: ask for JSON or CSV.',
    },
  ],
};

async function toAnswer(
  warehouse: ReportWarehouse,
  sent: SentQuery,
  query: Query,
  now: number,
): Promise<QueryAnswer> {
  const { attribution, page, comparedWith } = query;
  const { limit } = page;
  const oneMore = { ...query, page: { ...page, limit: limit + 1 } };
  const [found, earlier, totalRows, conversions] = await Promise.all([
    warehouse.select<WarehouseRow>(toStatement(oneMore, now)),
    comparedWith && findEarlier(warehouse, query, comparedWith, now),
    sent.include?.total_rows === true ? countRows(warehouse, query, now) : undefined,
    findConversions(warehouse, query),
  ]);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  const results = rows.map((row) => toAnswerRow(row, query));
  return {
    results: earlier === undefined ? results : compareWith(earlier, query, results),
    meta: {
      ...(totalRows === undefined ? {} : { total_rows: totalRows }),
      ...(last === undefined ? {} : { next_cursor: toCursor(sent, query, last) }),
      ...(sent.include?.time_labels === true ? { time_labels: timeLabels(query) } : {}),
      ...(attribution.models === undefined
        ? {}
        : { metrics: query.metrics.map(({ name }) => name) }),
      ...conversions,
    },
    query: {
      ...resolved(sent, query),
      ...(comparedWith === undefined
        ? {}
        : { comparison_date_range: toAnsweredRange(comparedWith) }),
    },
  };
}

async function countRows(warehouse: ReportWarehouse, query: Query, now: number) {
  const [row] = await warehouse.select<{ total_rows: string }>(toCountStatement(query, now));
  return Number(row?.total_rows ?? 0);
}

/** The labels of every bucket of the period, those to come included. */
function timeLabels({ dimensions, period }: Query): string[] {
  const time = dimensions.find((dimension) => dimension.of === 'time');
  if (time === undefined) return [];
  return toBuckets(period, time.unit).map((at) => toBucketLabel(at, time.unit, period.timeZone));
}

/** The query as it was understood, every default filled in. */
function resolved(sent: SentQuery, query: Query): QueryAnswer['query'] {
  return {
    site_id: sent.site_id,
    metrics: sent.metrics,
    date_range: toAnsweredRange(query.period),
    dimensions: query.dimensions.map((dimension) => dimension.name),
    filters: sent.filters ?? [],
    order_by: query.order.map(({ by, direction }) => [by.name, direction]),
    pagination: { limit: query.page.limit, offset: query.page.offset },
    attribution: {
      ...(query.attribution.models === undefined
        ? { model: query.attribution.model }
        : { models: [...query.attribution.models] }),
      lookback_days: query.attribution.lookbackDays,
    },
    include: { ...sent.include },
    timezone: query.period.timeZone,
  };
}
