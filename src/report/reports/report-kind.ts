import type { Fault } from '#contract/fault.ts';
import type { AskedFields } from '#contract/query-fields.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { ReportSite } from '../ports.ts';
import type { Filter } from '../query/filter.ts';
import { findMoneyNotes, type MoneyNotes } from '../query/find-money-notes.ts';
import { type Clock, parseAskedFilter, parseAskedPeriod } from '../query/parse/parse-fields.ts';
import type { ReportPlan } from '../query/plan/plan.ts';
import { planMoneyNotes } from '../query/plan/plan-money-notes.ts';
import { planReport } from '../query/plan/plan-scope.ts';
import type { BaseQuery, Query } from '../query/query.ts';
import {
  createQueryKind,
  type KindParts,
  type QueryKind,
  type Resolved,
} from '../query/query-kind.ts';
import type { Statement } from '../query/sql/statement.ts';
import type { Refusal } from '../refusal.ts';

/** A report that was parsed, with the plan of its query. */
export type Planned<Parsed> = Resolved<Parsed> & { readonly plan: ReportPlan };

/** The filter that holds for everything. */
export const ALL: Filter = { op: 'and', of: [] };

/**
 * Parses what a report has of its own; faults are noted. `base` is what all reports have: site, period and
 * filter, and no dimensions.
 */
export type ParseReport<Sent, Parsed> = (
  sent: Sent,
  base: BaseQuery,
  faults: Fault[],
  now: number,
) => Parsed | undefined;

/** The report that was asked for, or every fault found in it. */
export function parseReport<Sent extends AskedFields, Parsed>(
  parse: ParseReport<Sent, Parsed>,
  sent: Sent,
  site: ReportSite,
  clock: Clock,
): Result<Parsed, Refusal> {
  const faults: Fault[] = [];
  // What is faulty is replaced by nothing, so that the rest is looked at too.
  const period = parseAskedPeriod(sent, site, clock, faults) ?? NO_TIME;
  const filter = parseAskedFilter(sent, faults) ?? ALL;
  const parsed = parse(sent, { site, period, filter, dimensions: [] }, faults, clock.now);
  if (faults.length === 0 && parsed !== undefined) return ok(parsed);
  return refuse({ type: 'invalid_request', details: faults });
}

const NO_TIME = { startsAt: 0, endsAt: 0, timeZone: 'UTC' };

/** A report of its own: one statement, and the shape of its answer. */
export function createReportKind<
  Sent extends AskedFields,
  Parsed extends { readonly query: BaseQuery & Partial<Pick<Query, 'attribution'>> },
  Row,
  Answer,
>(
  parts: KindParts,
  how: {
    readonly parse: ParseReport<Sent, Parsed>;
    /** Nothing where there is nothing to look for. */
    readonly toStatement: (asked: Planned<Parsed>) => Statement | undefined;
    /** Which payments the report's money is of; nothing where it has none. */
    readonly paymentsOf: (asked: Parsed) => Filter | undefined;
    readonly toAnswer: (
      rows: readonly Row[],
      asked: Planned<Parsed>,
      sent: Sent,
      moneyNotes: MoneyNotes,
    ) => Answer;
    readonly needs?: Partial<Sent>;
  },
): QueryKind<Sent, Answer> {
  return createQueryKind(parts, {
    parse: (sent, site, clock) => parseReport(how.parse, sent, site, clock),
    ...(how.needs && { needs: how.needs }),
    async answer(warehouse, resolved, sent) {
      const { query, facts } = resolved;
      const asked = { ...resolved, plan: planReport(query, facts) };
      const statement = how.toStatement(asked);
      const filter = how.paymentsOf(resolved);
      const [rows, moneyNotes] = await Promise.all([
        statement === undefined ? [] : warehouse.select<Row>(statement),
        findMoneyNotes(warehouse, filter && planMoneyNotes({ ...query, filter }, facts)),
      ]);
      return ok(how.toAnswer(rows, asked, sent, moneyNotes));
    },
  });
}
