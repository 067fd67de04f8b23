import type { Fault } from '#contract/fault.ts';
import {
  type FileFormat,
  QUERY_ROWS_MAX,
  type QueryAnswer,
  type SentQuery,
} from '#contract/query.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { pairBuckets } from '#domain/time/compared-periods.ts';
import type { Refusal, ReportSite, ReportWarehouse, Stops } from '../../ports.ts';
import type { Clock } from '../parse/parse-fields.ts';
import { parseQuery } from '../parse/parse-query.ts';
import type { Plan } from '../plan/plan.ts';
import { planQuery } from '../plan/plan-query.ts';
import type { Query } from '../query.ts';
import { toAnswer } from '../shape/to-answer.ts';
import { type AnswerRow, toAnswerRow, type WarehouseRow } from '../shape/to-answer-row.ts';
import { toFileStatement } from '../sql/statements/file-statement.ts';
import { toCountStatement, toStatement } from '../sql/statements/statement.ts';
import { findMoneyNotes } from './find-money-notes.ts';
import { learnEffects } from './learn-effects.ts';
import { createQueryKind, type KindParts, type QueryKind, type Resolved } from './query-kind.ts';

/** Answers queries that break metrics down by dimensions. */
export interface Breakdowns extends QueryKind<SentQuery, QueryAnswer> {
  /** The same rows as a file, without the rest of an answer. Refuses comparisons. */
  answerFile(
    site: ReportSite,
    sent: SentQuery,
    format: FileFormat,
    stops?: Stops,
  ): Promise<Result<Buffer, Refusal>>;
}

/** Breakdowns of the warehouse's data: parse, plan, SQL, shape. */
export function createBreakdowns(parts: KindParts): Breakdowns {
  const rows = createQueryKind(parts, { parse, answer, needs: { metrics: [] } });
  const files = createQueryKind(parts, { parse: parseForFile, answer: answerFile });
  return {
    answer: rows.answer,
    answerFile: (site, sent, format, stops) => files.answer(site, { ...sent, format }, stops),
    findMoreFaults(site, sent, faults) {
      const isMalformed = faults.some(({ path }) => /^\/(?:metrics|dimensions)\b/.test(path));
      // The order is unknown then.
      return rows.findMoreFaults(site, sent, isMalformed ? [...faults, ORDER_UNKNOWN] : faults);
    },
  };
}

const ORDER_UNKNOWN: Fault = { path: '/order_by', message: '' };

type Parsed = { readonly query: Query };

function parse(sent: SentQuery, site: ReportSite, clock: Clock): Result<Parsed, Refusal> {
  const query = parseQuery(sent, site, clock);
  return query.ok ? ok({ query: query.value }) : query;
}

type SentForFile = SentQuery & { readonly format: FileFormat };

function parseForFile(
  { format: _format, ...sent }: SentForFile,
  site: ReportSite,
  clock: Clock,
): Result<Parsed, Refusal> {
  const parsed = parse(sent, site, clock);
  if (!parsed.ok || parsed.value.query.comparedWith === undefined) return parsed;
  const message = 'Parquet and Arrow have no columns for a comparison: ask for JSON or CSV.';
  return refuse({ type: 'invalid_request', details: [{ path: '/include/compare', message }] });
}

async function answerFile(
  warehouse: ReportWarehouse,
  { query, facts, now }: Resolved<Parsed>,
  { format }: SentForFile,
) {
  const plan = await learnEffects(warehouse, planQuery({ ...query, hasTotals: false }, facts));
  return ok(await warehouse.selectFile(toFileStatement(plan, now), format));
}

async function answer(
  warehouse: ReportWarehouse,
  resolved: Resolved<Parsed>,
  sent: SentQuery,
): Promise<Result<QueryAnswer, Refusal>> {
  const { query, facts, now } = resolved;
  const plan = await learnEffects(warehouse, planQuery(query, facts));
  const ofMoney = query.metrics.filter(({ unit }) => unit === 'money' || unit === 'ratio');
  const about = new Set(ofMoney.flatMap(({ parts }) => parts.map(({ of }) => of)));
  const found = findPage(warehouse, plan, sent, now);
  const [page, earlier, moneyNotes] = await Promise.all([
    found,
    findEarlier(warehouse, plan, resolved, found),
    about.size > 0 ? findMoneyNotes(warehouse, { ...query, about }, facts) : {},
  ]);
  return ok(toAnswer(sent, query, { ...page, earlier, plan, now, moneyNotes }));
}

/** A page of rows plus one if there are more, and the total number if the query wants it. */
async function findPage(warehouse: ReportWarehouse, plan: Plan, sent: SentQuery, now: number) {
  const { page } = plan;
  const oneMore = { ...plan, page: { ...page, limit: page.limit + 1 } };
  const isCounted = sent.include?.total_rows === true;
  const isFirstPage = page.after === undefined && page.offset === 0; // A later one has fewer rows.
  const [rows, counted] = await Promise.all([
    warehouse.select<WarehouseRow>(
      toStatement(oneMore, now, { countsRows: isCounted && isFirstPage }),
    ),
    isCounted && !isFirstPage
      ? warehouse.select<WarehouseRow>(toCountStatement(plan, now))
      : undefined,
  ]);
  const totalRows = isCounted ? Number((counted ?? rows)[0]?.total_rows ?? 0) : undefined;
  return { rows, totalRows };
}

/**
 * The compared period's values for the rows on the plan's page.
 *
 * Why once these are there: finding them within the statement takes as long as finding them at first.
 */
async function findEarlier(
  warehouse: ReportWarehouse,
  plan: Plan,
  { query, facts, now }: Resolved<Parsed>,
  page: ReturnType<typeof findPage>,
): Promise<readonly AnswerRow[] | undefined> {
  if (query.comparedWith === undefined) return undefined;
  const other = {
    ...query,
    period: query.comparedWith.part,
    page: { limit: QUERY_ROWS_MAX, offset: 0 },
    order: [], // They are matched by their dimensions.
    hasTotals: plan.rows.hasTotal,
  };
  const previous = await learnEffects(warehouse, planQuery(other, facts));
  // A series by time alone has few rows, and their places are known in advance.
  const isSeries = query.dimensions.every((dimension) => dimension.of === 'time');
  const parts = isSeries ? [undefined] : toParts(toEarlierKeys((await page).rows, query));
  const rows = await Promise.all(
    parts.map((among) => warehouse.select<WarehouseRow>(toStatement(previous, now, { among }))),
  );
  return rows.flat().map((row) => toAnswerRow(row, previous));
}

/** The dimensions of rows in the compared period. A time without a counterpart becomes what no time is. */
function toEarlierKeys(
  rows: readonly WarehouseRow[],
  { dimensions, period, comparedWith }: Query,
): string[][] {
  const counterparts = dimensions.map((dimension) =>
    dimension.of === 'time' && comparedWith !== undefined
      ? new Map(pairBuckets(period, comparedWith, dimension.unit))
      : undefined,
  );
  const toKey = (row: WarehouseRow) =>
    counterparts.map((earlierOf, index) => {
      const value = row[`d${index}`];
      return String(earlierOf === undefined ? value : earlierOf.get(Number(value)));
    });
  return rows.map(toKey);
}

/** A server takes a URL of a megabyte. Values come with it, most of their bytes as three. */
const PART_MAX_BYTES = 300_000;

function toParts(keys: readonly string[][]): string[][][] {
  let bytes = 0;
  const parts = Map.groupBy(keys, (key) => {
    bytes += Buffer.byteLength(key.join());
    return Math.floor(bytes / PART_MAX_BYTES);
  });
  return parts.size > 0 ? [...parts.values()] : [[]];
}
