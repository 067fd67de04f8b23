import type { Fault } from '#contract/fault.ts';
import type {
  PersonsAnswer,
  PeopleQuery as SentPeopleQuery,
  VisitorsAnswer,
} from '#contract/people.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { PersonDirectory } from '#ledger/persons/find-person-keys.ts';
import type { SearchPersons } from '#ledger/persons/search-persons.ts';
import { WHOLE_CREDIT } from '../attribution/whole-credit.ts';
import type { ReportSite, ReportWarehouse, Stops } from '../ports.ts';
import { findMoneyNotes } from '../query/find-money-notes.ts';
import { writeCursor } from '../query/parse/cursor.ts';
import { echoOf } from '../query/parse/parse-fields.ts';
import { createQueryKind, type KindParts, type Resolved } from '../query/query-kind.ts';
import { toIso, toMoney } from '../query/shape/to-answer-row.ts';
import type { Refusal } from '../refusal.ts';
import { type Acquaintance, findAcquaintances } from './find-acquaintance.ts';
import { type PeopleRow, toListCountStatement, toListStatement } from './list-sql.ts';
import {
  type PeopleKind,
  type PeopleQuery,
  parsePeopleQuery,
  type Sight,
  sameOf,
} from './people-query.ts';
import { type PeoplePlan, planPeople } from './plan-people.ts';

/** What is asked of the ledger about persons. */
export type PeopleLedger = PersonDirectory & { readonly searchPersons: SearchPersons };

/** What lists of people need. */
export type PeopleDeps = KindParts & { readonly ledger: PeopleLedger };

/** Lists of visitors and of persons. They throw as other kinds of queries do (query-kind.ts). */
export interface ListPeople {
  visitors(
    site: ReportSite,
    sent: SentPeopleQuery,
    sight: Sight,
    stops?: Stops,
  ): Promise<Result<VisitorsAnswer, Refusal>>;
  persons(
    site: ReportSite,
    sent: SentPeopleQuery,
    sight: Sight,
    stops?: Stops,
  ): Promise<Result<PersonsAnswer, Refusal>>;
  /** What else is wrong with a body that has these faults of form, as far as one can tell. */
  findMoreFaults(site: ReportSite, sent: unknown, faults: readonly Fault[]): readonly Fault[];
}

type Sent = SentPeopleQuery & { readonly of: PeopleKind; readonly sight: Sight };

/** Lists over the warehouse's facts, with what the ledger knows people by. */
export function createListPeople({ ledger, ...parts }: PeopleDeps): ListPeople {
  const kind = createQueryKind(parts, {
    parse: ({ of, sight: _sight, ...sent }: Sent, site, clock) =>
      parsePeopleQuery(of ?? 'visitor', sent, site, clock),
    answer,
  });

  async function answer(warehouse: ReportWarehouse, asked: Resolved<PeopleQuery>, sent: Sent) {
    const { query, facts, limit, of } = asked;
    const search = await findSearched(ledger, query.site, sent);
    if (!search.ok) return search;
    const plan = await planPeople(warehouse, asked, search.value);
    const [found, totalRows, moneyNotes] = await Promise.all([
      warehouse.select<PeopleRow>(toListStatement(plan)),
      sent.include?.total_rows === true ? countRows(warehouse, plan) : undefined,
      findMoneyNotes(warehouse, query, facts),
    ]);
    const rows = found.slice(0, limit);
    const last = found.length > limit ? rows.at(-1) : undefined;
    const people = rows.map(({ who }) => who);
    const acquaintances = await findAcquaintances(warehouse, plan, people);
    return ok({
      rows: rows.map((row) => ({
        who: row.who,
        ...toRow(row, acquaintances.get(row.who), plan, sent.sight),
      })),
      meta: {
        ...(totalRows !== undefined && { total_rows: totalRows }),
        ...(last !== undefined && { next_cursor: toCursor(of, sent, asked, last) }),
        ...moneyNotes,
      },
      query: {
        ...echoOf(sent, query.period),
        order_by: [[...asked.order]] as [string, string][],
        pagination: { limit },
      },
    });
  }

  function toRow(
    row: PeopleRow,
    acquaintance: Acquaintance | undefined,
    { site }: PeoplePlan,
    { isPersonal }: Sight,
  ) {
    const { person: personId } = row;
    const { visitors, users, customers, emails } = ledger.findPersonKeys(site.id, personId);
    return {
      person_id: personId,
      visitors: visitors.length > 0 || personId.startsWith('~') ? [...visitors] : [personId],
      first_seen_at: acquaintance === undefined ? null : toIso(acquaintance.firstAt),
      last_seen_at: row.last_seen_at === '0' ? null : toIso(row.last_seen_at),
      visits: Number(row.visits),
      pageviews: Number(row.pageviews),
      conversions: Number(row.conversions) / WHOLE_CREDIT,
      payments: Number(row.payments) / WHOLE_CREDIT,
      revenue: toMoney(BigInt(row.revenue), site.currency),
      first_visit: acquaintance?.firstVisit ?? null,
      latest_visit: acquaintance?.latestVisit ?? null,
      user_ids: [...users],
      customer_ids: [...customers],
      ...(isPersonal && { emails: [...emails] }),
    };
  }

  return {
    async visitors(site, sent, sight, stops) {
      const found = await kind.answer(site, { ...sent, of: 'visitor', sight }, stops);
      if (!found.ok) return found;
      const { rows, ...rest } = found.value;
      return ok({
        ...rest,
        results: rows.map(({ who, visitors: _, ...row }) => ({ service_visitor_id: who, ...row })),
      });
    },
    async persons(site, sent, sight, stops) {
      const found = await kind.answer(site, { ...sent, of: 'person', sight }, stops);
      if (!found.ok) return found;
      const { rows, ...rest } = found.value;
      return ok({ ...rest, results: rows.map(({ who: _, ...row }) => row) });
    },
    findMoreFaults: (site, sent, faults) =>
      kind.findMoreFaults(site, sent, [...faults, { path: '/pagination', message: '' }]),
  };
}

async function findSearched(
  ledger: PeopleLedger,
  { id: siteId }: ReportSite,
  { search: text, sight }: Sent,
): Promise<Result<PeoplePlan['search'], Refusal>> {
  if (text === undefined) return ok(undefined);
  const { isPersonal } = sight;
  const { personIds, isCut } = await ledger.searchPersons({ siteId, text, isPersonal });
  if (!isCut) return ok({ text, personIds });
  const message = `matches more than ${personIds.length} customers: write more of it`;
  return refuse({ type: 'invalid_request', details: [{ path: '/search', message }] });
}

function toCursor(of: PeopleKind, sent: Sent, { query }: PeopleQuery, last: PeopleRow) {
  const place = [`${last.is_null}`, last.sort_key, last.who];
  return writeCursor(sameOf(of, withoutReader(sent)), query.period, place);
}

/** Every reader gets the same page. */
function withoutReader({ of: _of, sight: _sight, ...sent }: Sent): SentPeopleQuery {
  return sent;
}

async function countRows(warehouse: ReportWarehouse, plan: PeoplePlan): Promise<number> {
  const [row] = await warehouse.select<{ total_rows: string }>(toListCountStatement(plan));
  return Number(row?.total_rows ?? 0);
}
