import type { AskedFields } from '#contract/query-fields.ts';
import { ok, type Result } from '#domain/result.ts';
import type { ReportSite } from '../ports.ts';
import type { Filter } from '../query/filter.ts';
import { findMoneyNotes, type MoneyNotes } from '../query/find-money-notes.ts';
import type { Clock } from '../query/parse/parse-fields.ts';
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

/** The filter of a report about all payments. */
export const ALL_PAYMENTS: Filter = { op: 'and', of: [] };

/** A report of its own: one statement, and the shape of its answer. */
export function createReportKind<
  Sent extends AskedFields,
  Parsed extends { readonly query: BaseQuery & Partial<Pick<Query, 'attribution'>> },
  Row,
  Answer,
>(
  parts: KindParts,
  how: {
    readonly parse: (sent: Sent, site: ReportSite, clock: Clock) => Result<Parsed, Refusal>;
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
    parse: how.parse,
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
