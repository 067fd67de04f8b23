import type { Fault } from '#contract/fault.ts';
import type { AskedFields } from '#contract/query-fields.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { Period } from '#domain/time/period.ts';
import { DIMENSION_NAMES, findDimension } from '../../catalog.ts';
import type { Bind, Dimension, ListedDimension } from '../../dimension.ts';
import type { Refusal, ReportSite } from '../../ports.ts';
import type { Filter } from '../filter.ts';
import { type Clock, parseAskedPeriod } from '../parse/parse-fields.ts';
import { parseAskedFilter } from '../parse/parse-filter.ts';
import type { ReportPlan } from '../plan/plan.ts';
import { planReport } from '../plan/plan-fact.ts';
import type { BaseQuery, Query } from '../query.ts';
import type { MoneyNotes } from '../shape/to-answer.ts';
import { echoOf } from '../shape/to-answer-row.ts';
import { createBindings } from '../sql/rows.ts';
import { findMoneyNotes } from './find-money-notes.ts';
import { createQueryKind, type KindParts, type Resolved } from './query-kind.ts';

type ParsedReport = {
  /** The query with defaults filled in, which the answer echoes. */
  readonly asked: AskedFields & { readonly by?: 'person' | 'visitor' };
  readonly query: BaseQuery & Partial<Pick<Query, 'attribution'>>;
  /** The period that the answer echoes, if it is not the query's. */
  readonly range?: Pick<Period, 'startsAt' | 'endsAt'>;
};

/** A parsed report with its query plan. */
export type Planned<Parsed> = Resolved<Parsed> & { readonly plan: ReportPlan };

/** Parses a report's own fields; `base` has those of all reports. After a fault is noted, no value is used. */
type ParseReport<Sent, Parsed> = (
  sent: Sent,
  base: BaseQuery,
  faults: Fault[],
  now: number,
) => Parsed;

/** A report: one statement, and the shape of its answer. */
export type Report<Sent extends AskedFields, Parsed extends ParsedReport, Row, Answer> = {
  readonly parse: ParseReport<Sent, Parsed>;
  /** The SQL that finds its rows; undefined if there is nothing to find. */
  readonly toSql: (report: Planned<Parsed>, bind: Bind) => string | undefined;
  /** Which payments the report's money comes from; undefined if it has none. */
  readonly paymentsOf: (report: Parsed) => Filter | undefined;
  readonly toAnswer: (
    rows: readonly Row[],
    report: Planned<Parsed>,
    /** Notes about its money, and the echo of its query. */
    common: {
      readonly meta: MoneyNotes;
      readonly query: Parsed['asked'] & ReturnType<typeof echoOf>;
    },
  ) => Answer;
  /** Stand-ins for malformed or missing fields, so that the others are checked too. */
  readonly needs?: Partial<Sent>;
};

/** Parses a report, or refuses it with all its faults. */
export function parseReport<Sent extends AskedFields, Parsed>(
  parse: ParseReport<Sent, Parsed>,
  sent: Sent,
  site: ReportSite,
  clock: Clock,
): Result<Parsed, Refusal> {
  const faults: Fault[] = [];
  // Check the other fields even after a fault.
  const period = parseAskedPeriod(sent, site, clock, faults) ?? NO_TIME;
  const filter = parseAskedFilter(sent, faults);
  const parsed = parse(sent, { site, period, filter, dimensions: [] }, faults, clock.now);
  return faults.length === 0 ? ok(parsed) : refuse({ type: 'invalid_request', details: faults });
}

const NO_TIME = { startsAt: 0, endsAt: 0, timeZone: 'UTC' };

/** Answers one report. */
export function createReportKind<
  Sent extends AskedFields,
  Parsed extends ParsedReport,
  Row,
  Answer,
>(parts: KindParts, report: Report<Sent, Parsed, Row, Answer>) {
  return createQueryKind<Sent, Parsed, Answer>(parts, {
    parse: (sent, site, clock) => parseReport(report.parse, sent, site, clock),
    ...(report.needs && { needs: report.needs }),
    async answer(warehouse, resolved, sent) {
      const { asked, query, range, facts } = resolved;
      const planned = { ...resolved, plan: planReport(query, facts, asked.by) };
      const { bind, params } = createBindings();
      const sql = report.toSql(planned, bind);
      const filter = report.paymentsOf(resolved);
      const [rows, meta] = await Promise.all([
        sql === undefined ? [] : warehouse.select<Row>({ sql, params }),
        filter === undefined ? {} : findMoneyNotes(warehouse, { ...query, filter }, facts),
      ]);
      const echo = { ...asked, ...echoOf(sent, { ...query.period, ...range }) };
      return ok(report.toAnswer(rows, planned, { meta, query: echo }));
    },
  });
}

/** Parses the dimensions that break down `what`, only of these kinds. Notes faults. */
export function parseDimensions<Kind extends 'visit' | 'visitor' | 'payment'>(
  names: readonly string[],
  { what, kinds }: { readonly what: string; readonly kinds: readonly Kind[] },
  faults: Fault[],
): Extract<Dimension, { readonly of: Kind }>[] {
  const isMeant = (each: ListedDimension): each is Extract<Dimension, { readonly of: Kind }> =>
    kinds.some((kind) => kind === each.of);
  return names.flatMap((name, index) => {
    const dimension = findDimension(name);
    if (dimension !== undefined && isMeant(dimension)) return [dimension];
    const known = DIMENSION_NAMES.filter((each) => kinds.some((of) => each.startsWith(`${of}:`)));
    const message = `${JSON.stringify(name)} is not a dimension that ${what} broken down by. Known: ${known.join(', ')}.`;
    faults.push({ path: `/dimensions/${index}`, message });
    return [];
  });
}
