import type { Fault } from '#contract/fault.ts';
import type {
  PersonsAnswer,
  PeopleQuery as SentPeopleQuery,
  VisitorsAnswer,
} from '#contract/people.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { PersonDirectory } from '#ledger/persons/find-person-keys.ts';
import type { SearchPersons } from '#ledger/persons/search-persons.ts';
import { WHOLE_CREDIT } from '../attribution/credited-facts.ts';
import { learnEffects } from '../attribution/learn-effects.ts';
import type { ReportSite, ReportWarehouse, Stops } from '../ports.ts';
import { writeCursor } from '../query/parse/cursor.ts';
import { toAnsweredRange } from '../query/parse/parse-fields.ts';
import { understand } from '../query/parse/resolve-query.ts';
import { findConversions } from '../query/shape/find-conversions.ts';
import { toMoney } from '../query/shape/to-answer-row.ts';
import { withinLimits } from '../query/within-limits.ts';
import type { Refusal } from '../refusal.ts';
import type { QueryScheduler } from '../scheduler/query-scheduler.ts';
import type { WarehouseOf } from '../scheduler/scheduled-warehouse.ts';
import { type Acquaintance, findAcquaintances } from './find-acquaintance.ts';
import { type PeopleRow, toListCountStatement, toListStatement } from './list-sql.ts';
import { type PeopleKind, type PeopleQuery, parsePeopleQuery, sameOf } from './people-query.ts';

/** What is asked of the ledger about persons. */
export type PeopleLedger = PersonDirectory & { readonly searchPersons: SearchPersons };

/** What lists of people need. `now` in milliseconds, UTC. */
export type PeopleDeps = {
  readonly warehouseOf: WarehouseOf;
  readonly ledger: PeopleLedger;
  readonly turns: QueryScheduler;
  readonly now: () => number;
};

/** Whether the asker may see e-mail addresses and names, and search by them. */
export type Sight = { readonly isPersonal: boolean };

/** Lists of visitors and of persons. They throw as other kinds of queries do (queries.ts). */
export interface ListPeople {
  visitors(
    site: ReportSite,
    asked: SentPeopleQuery,
    sight: Sight,
    stops?: Stops,
  ): Promise<Result<VisitorsAnswer, Refusal>>;
  persons(
    site: ReportSite,
    asked: SentPeopleQuery,
    sight: Sight,
    stops?: Stops,
  ): Promise<Result<PersonsAnswer, Refusal>>;
  /** What else is wrong with a body that has these faults of form, as far as one can tell. */
  findMoreFaults(site: ReportSite, sent: unknown, faults: readonly Fault[]): readonly Fault[];
}

/** Lists over the warehouse's facts, with what the ledger knows people by. */
export function createListPeople(deps: PeopleDeps): ListPeople {
  const { warehouseOf, ledger, turns, now } = deps;
  const findMoreFaults: ListPeople['findMoreFaults'] = (site, sent, faults) =>
    findMorePeopleFaults(site, sent, faults, now());
  type How = { readonly of: PeopleKind; readonly sight: Sight };
  const inTurn = turns.ofKind<SentPeopleQuery, How>(
    ({ site, asked, how }) => !parsePeopleQuery(how.of, asked, site, { now: now() }).ok,
  );

  type Asked = Parameters<ListPeople['visitors']>;
  function list(of: PeopleKind, ...[site, asked, sight, leaves]: Asked) {
    const find = async (stops: Stops | undefined) => {
      const warehouse = warehouseOf(site);
      const parsed = await understand(warehouse, {
        ...{ asked, site, now: now() },
        parse: (clock) => parsePeopleQuery(of, asked, site, clock),
      });
      if (!parsed.ok) return parsed;
      const search = await findSearched(site, asked, sight);
      if (!search.ok) return search;
      const query = { ...parsed.value, search: search.value };
      const ask = (stopping: ReportWarehouse) => answer(stopping, asked, query, sight);
      return withinLimits(warehouse, ask, stops);
    };
    return inTurn({ site, asked, how: { of, sight } }, find, leaves);
  }

  async function findSearched(
    { id: siteId }: ReportSite,
    { search: text }: SentPeopleQuery,
    { isPersonal }: Sight,
  ): Promise<Result<PeopleQuery['search'], Refusal>> {
    if (text === undefined) return ok(undefined);
    const { personIds, isCut } = await ledger.searchPersons({ siteId, text, isPersonal });
    if (!isCut) return ok({ text, personIds });
    const message = `matches more than ${personIds.length} customers: write more of it`;
    return refuse({ type: 'invalid_request', details: [{ path: '/search', message }] });
  }

  async function answer(
    warehouse: ReportWarehouse,
    sent: SentPeopleQuery,
    parsed: PeopleQuery,
    sight: Sight,
  ) {
    const asked = { ...parsed, query: await learnEffects(warehouse, parsed.query) };
    const { query, limit, of } = asked;
    const [found, totalRows, conversions] = await Promise.all([
      warehouse.select<PeopleRow>(toListStatement(asked)),
      sent.include?.total_rows === true ? countRows(warehouse, asked) : undefined,
      findConversions(warehouse, query),
    ]);
    const rows = found.slice(0, limit);
    const last = found.length > limit ? rows.at(-1) : undefined;
    const people = rows.map(({ who }) => who);
    const acquaintances = await findAcquaintances(warehouse, asked, people);
    return {
      rows: rows.map((row) => ({
        who: row.who,
        ...toRow(row, acquaintances.get(row.who), asked, sight),
      })),
      meta: {
        ...(totalRows === undefined ? {} : { total_rows: totalRows }),
        ...(last === undefined ? {} : { next_cursor: toCursor(of, sent, asked, last) }),
        ...conversions,
      },
      query: {
        site_id: sent.site_id,
        date_range: toAnsweredRange(query.period),
        filters: sent.filters ?? [],
        timezone: query.period.timeZone,
        order_by: [[...asked.order]] as [string, string][],
        pagination: { limit },
      },
    };
  }

  function toRow(
    row: PeopleRow,
    acquaintance: Acquaintance | undefined,
    { query: { site } }: PeopleQuery,
    { isPersonal }: Sight,
  ) {
    const { person: personId } = row;
    const { visitors, users, customers, emails } = ledger.findPersonKeys(site.id, personId);
    return {
      person_id: personId,
      visitors: visitors.length > 0 || personId.startsWith('~') ? [...visitors] : [personId],
      first_seen_at: acquaintance === undefined ? null : toIso(acquaintance.firstAt),
      last_seen_at: row.last_at === '0' ? null : toIso(Number(row.last_at)),
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
    async visitors(...asked) {
      const found = await list('visitor', ...asked);
      if (!found.ok) return found;
      const { rows, ...rest } = found.value;
      return ok({
        ...rest,
        results: rows.map(({ who, visitors: _, ...row }) => ({ service_visitor_id: who, ...row })),
      });
    },
    async persons(...asked) {
      const found = await list('person', ...asked);
      if (!found.ok) return found;
      const { rows, ...rest } = found.value;
      return ok({ ...rest, results: rows.map(({ who: _, ...row }) => row) });
    },
    findMoreFaults,
  };
}

function toCursor(of: PeopleKind, sent: SentPeopleQuery, asked: PeopleQuery, last: PeopleRow) {
  const { period } = asked.query;
  return writeCursor(sameOf(of, sent), period, [`${last.is_null}`, last.sort_key, last.who]);
}

async function countRows(warehouse: ReportWarehouse, asked: PeopleQuery): Promise<number> {
  const [row] = await warehouse.select<{ total_rows: string }>(toListCountStatement(asked));
  return Number(row?.total_rows ?? 0);
}

/** The well-formed fields are looked at as they are, the others left out. */
function findMorePeopleFaults(
  site: ReportSite,
  sent: unknown,
  faults: readonly Fault[],
  now: number,
): readonly Fault[] {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return [];
  const malformed = new Set(faults.map(({ path }) => path.split('/')[1]));
  const wellFormed = Object.entries(sent).filter(
    ([field]) => !malformed.has(field) && field !== 'pagination',
  );
  const asked = { site_id: site.id, date_range: 'day', ...Object.fromEntries(wellFormed) };
  const parsed = parsePeopleQuery('visitor', asked as SentPeopleQuery, site, { now });
  return parsed.ok ? [] : parsed.error.details;
}

function toIso(at: number): string {
  return new Date(at).toISOString();
}
