import type { Fault } from '#contract/fault.ts';
import {
  PEOPLE_ROWS,
  type PeopleQuery,
  type PersonsAnswer,
  type VisitorsAnswer,
} from '#contract/people.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { ok } from '#domain/result.ts';
import { WHOLE_CREDIT } from '../metric.ts';
import type { ReportSite } from '../ports.ts';
import { findMoneyNotes } from '../query/answer/find-money-notes.ts';
import { createQueryKind, type QueryKind } from '../query/answer/query-kind.ts';
import { parseReport } from '../query/answer/report-kind.ts';
import { readCursor, writeCursor } from '../query/cursor.ts';
import { refusePayments } from '../query/parse/parse-filter.ts';
import { planFact } from '../query/plan/plan-fact.ts';
import type { BaseQuery } from '../query/query.ts';
import { echoOf, toIso, toMoney } from '../query/shape/to-answer-row.ts';
import {
  type Acquaintance,
  type PeopleOf,
  type PeopleOrderBy,
  type PeoplePlan,
  type PeopleRow,
  toAcquaintanceStatement,
  toListStatement,
} from './list-sql.ts';
import { type PeopleDeps, type PeopleLedger, planCredited, toKnownBy } from './people-deps.ts';

type SentList = PeopleQuery & { readonly isPersonal: boolean };

type Row = VisitorsAnswer['results'][number] & PersonsAnswer['results'][number];

/** Creates the list of visitors. */
export function createListVisitors(deps: PeopleDeps): QueryKind<SentList, VisitorsAnswer> {
  return createList(deps, 'visitor', ({ visitors: _, ...row }) => row);
}

/** Creates the list of persons, who may have several visitors. */
export function createListPersons(deps: PeopleDeps): QueryKind<SentList, PersonsAnswer> {
  return createList(deps, 'person', ({ service_visitor_id: _, ...row }) => row);
}

function createList<OwnRow>(
  { ledger, ...parts }: PeopleDeps,
  of: PeopleOf,
  toOwnRow: (row: Row) => OwnRow,
) {
  return createQueryKind(parts, {
    parse: (sent: SentList, site, clock) =>
      parseReport((_, base, faults) => parseList(of, sent, base, faults), sent, site, clock),
    async answer(warehouse, { query, facts, now, page, same }, sent) {
      const { site, period } = query;
      const plan: PeoplePlan = {
        ...(await planCredited(warehouse, query, facts)),
        ...{ ...page, of, search: await findSearched(ledger, site, sent) },
        countsRows: sent.include?.total_rows === true,
        visits: planFact('visits', query, facts),
        events: planFact('events', query, facts),
      };
      const [found, moneyNotes] = await Promise.all([
        warehouse.select<PeopleRow>(toListStatement(plan)),
        findMoneyNotes(warehouse, query, facts),
      ]);
      const rows = found.slice(0, page.limit);
      const last = found.length > page.limit ? rows.at(-1) : undefined;
      const people = rows.map(({ who }) => who);
      const acquaintances = // Empty for people without visits.
        people.length === 0
          ? []
          : await warehouse.select<Acquaintance>(toAcquaintanceStatement(plan, people));
      const acquaintancesByWho = new Map(acquaintances.map((row) => [row.who, row]));
      const persons = rows.map(({ person }) => person);
      const keysById = await ledger.findPersonKeys(site.id, persons);
      const results = rows.map((row) => {
        const known = toKnownBy(row.person, keysById.get(row.person), sent.isPersonal);
        const figures = toFigures(row, acquaintancesByWho.get(row.who), site);
        return toOwnRow({ service_visitor_id: row.who, ...known, ...figures });
      });
      return ok({
        results,
        meta: {
          ...(plan.countsRows && { total_rows: Number(found[0]?.total_rows ?? 0) }),
          ...(last && {
            next_cursor: writeCursor(same, now, [`${last.is_null}`, last.sort_key, last.who]),
          }),
          ...moneyNotes,
        },
        query: {
          ...echoOf(sent, period),
          order_by: [[...page.order]] as [string, string][],
          pagination: { limit: page.limit },
        },
      });
    },
  });
}

/** Parses the list query. Refuses payment filters and foreign cursors. */
function parseList(
  of: PeopleOf,
  { pagination, include: _include, isPersonal: _isPersonal, ...own }: SentList,
  base: BaseQuery,
  faults: Fault[],
) {
  refusePayments(base.filter, faults);
  /** The part of the query that all pages of a list share. */
  const same = [of, own];
  const cursor = readCursor(pagination?.cursor, same, faults);
  const { model = ATTRIBUTION_MODELS[0], lookback_days = null } = own.attribution ?? {};
  const order: PeopleOrderBy = own.order_by?.[0] ?? ['last_seen_at', 'desc'];
  return {
    query: { ...base, attribution: { model, lookbackDays: lookback_days } },
    page: {
      order,
      limit: pagination?.limit ?? PEOPLE_ROWS.byDefault,
      after: cursor?.after.map(String),
    },
    same,
  };
}

async function findSearched(
  ledger: PeopleLedger,
  { id: siteId }: ReportSite,
  { search: text, isPersonal }: SentList,
): Promise<PeoplePlan['search']> {
  if (text === undefined) return undefined;
  return { text, isPersonal, personIds: await ledger.searchPersons({ siteId, text, isPersonal }) };
}

function toFigures(
  row: PeopleRow,
  acquaintance: Acquaintance | undefined,
  { currency }: ReportSite,
) {
  return {
    first_seen_at: acquaintance === undefined ? null : toIso(acquaintance.first_at),
    last_seen_at: row.last_seen_at === '0' ? null : toIso(row.last_seen_at),
    visits: Number(row.visits),
    pageviews: Number(row.pageviews),
    conversions: Number(row.conversions) / WHOLE_CREDIT,
    payments: Number(row.payments) / WHOLE_CREDIT,
    revenue: toMoney(BigInt(row.revenue), currency),
    first_visit: acquaintance?.first_visit ?? null,
    latest_visit: acquaintance?.latest_visit ?? null,
  };
}
