import type { Fault } from '#contract/fault.ts';
import {
  PEOPLE_ROWS,
  type PeopleOrder,
  type PeopleQuery,
  type PersonsAnswer,
  type VisitorsAnswer,
} from '#contract/people.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { WHOLE_CREDIT } from '../attribution/whole-credit.ts';
import type { ReportSite, ReportWarehouse } from '../ports.ts';
import { findMoneyNotes } from '../query/find-money-notes.ts';
import { periodOf, readCursor, writeCursor } from '../query/parse/cursor.ts';
import { echoOf } from '../query/parse/parse-fields.ts';
import { type CreditedQuery, planFact } from '../query/plan/plan-fact.ts';
import type { BaseQuery } from '../query/query.ts';
import { createQueryKind, type QueryKind, type Resolved } from '../query/query-kind.ts';
import { toIso, toMoney } from '../query/shape/to-answer-row.ts';
import type { Refusal } from '../refusal.ts';
import { parseReport } from '../reports/report-kind.ts';
import { refusePayments } from '../reports/steps/step.ts';
import {
  type Acquaintance,
  type PeoplePlan,
  type PeopleRow,
  toAcquaintanceStatement,
  toListCountStatement,
  toListStatement,
} from './list-sql.ts';
import { type PeopleDeps, type PeopleLedger, planCredited } from './plan-credited.ts';

/** A query for a list, and whether it may show e-mail addresses and names, and search by them. */
export type SentList = PeopleQuery & { readonly isPersonal: boolean };

type List = {
  readonly query: CreditedQuery;
  readonly order: readonly [PeopleOrder, 'asc' | 'desc'];
  readonly limit: number;
  /** The place of the row that the page before ended with. */
  readonly after: readonly string[] | undefined;
  /** What pages of one list have in common. */
  readonly same: unknown;
};

/** Lists of visitors. */
export function createListVisitors(deps: PeopleDeps): QueryKind<SentList, VisitorsAnswer> {
  return createList(deps, 'visitor', ({ who }, { visitors: _, ...row }) => ({
    service_visitor_id: who,
    ...row,
  }));
}

/** Lists of persons, who may be several visitors. */
export function createListPersons(deps: PeopleDeps): QueryKind<SentList, PersonsAnswer> {
  return createList(deps, 'person', (_, row) => row);
}

function createList<Row>(
  { ledger, ...parts }: PeopleDeps,
  of: PeoplePlan['of'],
  toOwnRow: (found: PeopleRow, row: ReturnType<typeof toRow>) => Row,
) {
  const kind = createQueryKind(parts, {
    parse: (sent: SentList, site, clock) =>
      parseReport((_, base, faults) => parseList(of, sent, base, faults), sent, site, clock),
    async answer(warehouse, list, sent) {
      const { query, facts, limit, order, after } = list;
      const search = await findSearched(ledger, query.site, sent);
      if (!search.ok) return search;
      const plan: PeoplePlan = {
        ...(await planCredited(warehouse, query, facts)),
        ...{ of, order, limit, after, search: search.value },
        visits: planFact('visits', query, facts),
        events: planFact('events', query, facts),
      };
      const [found, totalRows, moneyNotes] = await Promise.all([
        warehouse.select<PeopleRow>(toListStatement(plan)),
        sent.include?.total_rows === true ? countRows(warehouse, plan) : undefined,
        findMoneyNotes(warehouse, query, facts),
      ]);
      const rows = found.slice(0, limit);
      const last = found.length > limit ? rows.at(-1) : undefined;
      const acquaintances = await findAcquaintances(warehouse, plan, rows);
      return ok({
        results: rows.map((row) =>
          toOwnRow(row, toRow(row, acquaintances.get(row.who), query.site, ledger, sent)),
        ),
        meta: {
          ...(totalRows !== undefined && { total_rows: totalRows }),
          ...(last !== undefined && { next_cursor: toCursor(list, last) }),
          ...moneyNotes,
        },
        query: {
          ...echoOf(sent, query.period),
          order_by: [[...order]] as [string, string][],
          pagination: { limit },
        },
      });
    },
  });
  return {
    ...kind,
    findMoreFaults: (site: ReportSite, sent: unknown, faults: readonly Fault[]) =>
      // A cursor never fits a query of which parts are missing.
      kind.findMoreFaults(site, sent, [...faults, { path: '/pagination', message: '' }]),
  };
}

/** The list that was sent. Refuses filters by payments, and other cursors. */
function parseList(
  of: PeoplePlan['of'],
  { pagination, include: _include, isPersonal: _isPersonal, ...own }: SentList,
  base: BaseQuery,
  faults: Fault[],
): List {
  refusePayments(base.filter, faults);
  const same = [of, own];
  const text = pagination?.cursor;
  const cursor = text === undefined ? ok(undefined) : readCursor(text, same);
  if (!cursor.ok) faults.push(cursor.error);
  const after = cursor.ok ? cursor.value : undefined;
  const { model = ATTRIBUTION_MODELS[0], lookback_days = null } = own.attribution ?? {};
  return {
    query: {
      ...base,
      period: after ? periodOf(after, base.period) : base.period,
      attribution: { model, lookbackDays: lookback_days },
    },
    order: own.order_by?.[0] ?? ['last_seen_at', 'desc'],
    limit: pagination?.limit ?? PEOPLE_ROWS.byDefault,
    after: after?.after.map(String),
    same,
  };
}

function toCursor({ query, same }: Resolved<List>, last: PeopleRow): string {
  return writeCursor(same, query.period, [`${last.is_null}`, last.sort_key, last.who]);
}

async function findSearched(
  ledger: PeopleLedger,
  { id: siteId }: ReportSite,
  { search: text, isPersonal }: SentList,
): Promise<Result<PeoplePlan['search'], Refusal>> {
  if (text === undefined) return ok(undefined);
  const { personIds, isCut } = await ledger.searchPersons({ siteId, text, isPersonal });
  if (!isCut) return ok({ text, personIds });
  const message = `matches more than ${personIds.length} customers: write more of it`;
  return refuse({ type: 'invalid_request', details: [{ path: '/search', message }] });
}

async function countRows(warehouse: ReportWarehouse, plan: PeoplePlan): Promise<number> {
  const [row] = await warehouse.select<{ total_rows: string }>(toListCountStatement(plan));
  return Number(row?.total_rows ?? 0);
}

/** The acquaintance of each of a page's people; none of those who never visited. */
async function findAcquaintances(
  warehouse: ReportWarehouse,
  plan: PeoplePlan,
  rows: readonly PeopleRow[],
): Promise<ReadonlyMap<string, Acquaintance>> {
  if (rows.length === 0) return new Map();
  const people = rows.map(({ who }) => who);
  const found = await warehouse.select<Acquaintance>(toAcquaintanceStatement(plan, people));
  return new Map(found.map((row) => [row.who, row]));
}

function toRow(
  row: PeopleRow,
  acquaintance: Acquaintance | undefined,
  site: ReportSite,
  ledger: PeopleLedger,
  { isPersonal }: SentList,
) {
  const { person: personId } = row;
  const { visitors, users, customers, emails } = ledger.findPersonKeys(site.id, personId);
  return {
    person_id: personId,
    visitors: visitors.length > 0 || personId.startsWith('~') ? [...visitors] : [personId],
    first_seen_at: acquaintance === undefined ? null : toIso(acquaintance.first_at),
    last_seen_at: row.last_seen_at === '0' ? null : toIso(row.last_seen_at),
    visits: Number(row.visits),
    pageviews: Number(row.pageviews),
    conversions: Number(row.conversions) / WHOLE_CREDIT,
    payments: Number(row.payments) / WHOLE_CREDIT,
    revenue: toMoney(BigInt(row.revenue), site.currency),
    first_visit: acquaintance?.first_visit ?? null,
    latest_visit: acquaintance?.latest_visit ?? null,
    user_ids: [...users],
    customer_ids: [...customers],
    ...(isPersonal && { emails: [...emails] }),
  };
}
