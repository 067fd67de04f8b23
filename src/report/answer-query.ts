import type { Fault } from '#contract/fault.ts';
import type { Query, QueryAnswer } from '#contract/query.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import { toBuckets } from '#domain/time/buckets.ts';
import { compareWith, findEarlier } from './compare.ts';
import { toCursor } from './cursor.ts';
import { findConversions } from './find-conversions.ts';
import { findMoreFaults } from './find-more-faults.ts';
import type { WarehouseOf } from './in-turns.ts';
import { learnEffects } from './learn-effects.ts';
import { type Clock, toAnsweredRange } from './parse-asked.ts';
import { parseQuestion } from './parse-question.ts';
import type { FileFormat, ReportSite, ReportWarehouse, Stops } from './ports.ts';
import type { Question } from './question.ts';
import type { AskedQuestion, QuestionTurns } from './question-turns.ts';
import type { Refusal } from './refusal.ts';
import { toFileStatement } from './sql/file-statement.ts';
import { toCountStatement, toStatement } from './sql/statement.ts';
import { toAnswerRow, type WarehouseRow } from './to-answer-row.ts';
import { understand } from './understand.ts';
import { withinLimits } from './within-limits.ts';

/** Answers questions about sites. */
export interface Report {
  /**
   * The answer to a query that has the contract's form.
   *
   * - Refuses names that are not there and combinations without a meaning.
   * - Throws when the warehouse does not answer, and when it is stopped while nobody else waits for the same.
   */
  answer(site: ReportSite, query: Query, stops?: Stops): Promise<Result<QueryAnswer, Refusal>>;
  /** The same rows as a file, without what an answer tells besides. Refuses to compare in one. */
  answerFile(
    site: ReportSite,
    query: Query,
    format: FileFormat,
    stops?: Stops,
  ): Promise<Result<Buffer, Refusal>>;
  /** What else is wrong with a query that has these faults of form, as far as one can tell. */
  findMoreFaults(site: ReportSite, sent: unknown, faults: readonly Fault[]): readonly Fault[];
}

/** A report on what the warehouse holds. `now` in milliseconds, UTC: where `today` is. */
export function createReport(deps: {
  readonly warehouseOf: WarehouseOf;
  readonly turns: QuestionTurns;
  readonly now: () => number;
}): Report {
  const { warehouseOf } = deps;
  const toQuestion = ({ site, asked, how: format }: AskedReport, now: number) =>
    understand(warehouseOf(site), {
      ...{ asked, site, now },
      parse: (clock) => parse(asked, site, { clock, format }),
    });
  const inTurn = deps.turns.ofKind<Query, FileFormat | undefined>(
    ({ site, asked, how: format }) =>
      !parse(asked, site, { clock: { now: deps.now() }, format }).ok,
  );

  async function answer(
    site: ReportSite,
    query: Query,
    stops: Stops | undefined,
  ): Promise<Result<QueryAnswer, Refusal>> {
    const now = deps.now();
    const understood = await toQuestion({ site, asked: query, how: undefined }, now);
    if (!understood.ok) return understood;
    const { question } = understood.value;
    const ask = async (warehouse: ReportWarehouse) => {
      return toAnswer(warehouse, query, await learnEffects(warehouse, question), now);
    };
    return withinLimits(warehouseOf(site), ask, stops);
  }

  async function answerFile(
    site: ReportSite,
    query: Query,
    format: FileFormat,
    stops: Stops | undefined,
  ): Promise<Result<Buffer, Refusal>> {
    const now = deps.now();
    const understood = await toQuestion({ site, asked: query, how: format }, now);
    if (!understood.ok) return understood;
    const { question } = understood.value;
    const ask = async (warehouse: ReportWarehouse) => {
      const learned = await learnEffects(warehouse, question);
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

type AskedReport = AskedQuestion<Query, FileFormat | undefined>;

/** What is asked, as rows of an answer or as a file. */
function parse(
  query: Query,
  site: ReportSite,
  { clock, format }: { readonly clock: Clock; readonly format: FileFormat | undefined },
): Result<{ readonly question: Question }, Refusal> {
  const question = parseQuestion(query, site, clock);
  if (!question.ok) return question;
  const isRefused = format !== undefined && question.value.comparedWith !== undefined;
  return isRefused ? refuse(NO_COMPARISON) : ok({ question: question.value });
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
  query: Query,
  question: Question,
  now: number,
): Promise<QueryAnswer> {
  const { attribution, page, comparedWith } = question;
  const { limit } = page;
  const oneMore = { ...question, page: { ...page, limit: limit + 1 } };
  const [found, earlier, totalRows, conversions] = await Promise.all([
    warehouse.select<WarehouseRow>(toStatement(oneMore, now)),
    comparedWith && findEarlier(warehouse, question, comparedWith, now),
    query.include?.total_rows === true ? countRows(warehouse, question, now) : undefined,
    findConversions(warehouse, question),
  ]);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  const results = rows.map((row) => toAnswerRow(row, question));
  return {
    results: earlier === undefined ? results : compareWith(earlier, question, results),
    meta: {
      ...(totalRows === undefined ? {} : { total_rows: totalRows }),
      ...(last === undefined ? {} : { next_cursor: toCursor(query, question, last) }),
      ...(query.include?.time_labels === true ? { time_labels: timeLabels(question) } : {}),
      ...(attribution.models === undefined
        ? {}
        : { metrics: question.metrics.map(({ name }) => name) }),
      ...conversions,
    },
    query: {
      ...resolved(query, question),
      ...(comparedWith === undefined
        ? {}
        : { comparison_date_range: toAnsweredRange(comparedWith) }),
    },
  };
}

async function countRows(warehouse: ReportWarehouse, question: Question, now: number) {
  const [row] = await warehouse.select<{ total_rows: string }>(toCountStatement(question, now));
  return Number(row?.total_rows ?? 0);
}

/** The labels of every bucket of the period, those to come included. */
function timeLabels({ dimensions, period }: Question): string[] {
  const time = dimensions.find((dimension) => dimension.of === 'time');
  if (time === undefined) return [];
  return toBuckets(period, time.unit).map((at) => toBucketLabel(at, time.unit, period.timeZone));
}

/** The question as it was understood, every default filled in. */
function resolved(query: Query, question: Question): QueryAnswer['query'] {
  return {
    site_id: query.site_id,
    metrics: query.metrics,
    date_range: toAnsweredRange(question.period),
    dimensions: question.dimensions.map((dimension) => dimension.name),
    filters: query.filters ?? [],
    order_by: question.order.map(({ by, direction }) => [by.name, direction]),
    pagination: { limit: question.page.limit, offset: question.page.offset },
    attribution: {
      ...(question.attribution.models === undefined
        ? { model: question.attribution.model }
        : { models: [...question.attribution.models] }),
      lookback_days: question.attribution.lookbackDays,
    },
    include: { ...query.include },
    timezone: question.period.timeZone,
  };
}
