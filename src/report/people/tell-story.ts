import type { Fault } from '#contract/fault.ts';
import type { Query as SentQuery } from '#contract/query.ts';
import { STORY_VISITS, type StoryAnswer } from '#contract/story.ts';
import { ATTRIBUTION_MODELS, type AttributionModel } from '#domain/attribution/models.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { learnEffects } from '../attribution/learn-effects.ts';
import type { ReportSite, ReportWarehouse, Stops } from '../ports.ts';
import { readCursor, writeCursor } from '../query/parse/cursor.ts';
import { toAnsweredRange } from '../query/parse/parse-fields.ts';
import { parseQuery } from '../query/parse/parse-query.ts';
import { findEarliest } from '../query/plan/find-earliest.ts';
import { lookUp } from '../query/plan/look-up.ts';
import type { Query } from '../query/query.ts';
import { withinLimits } from '../query/within-limits.ts';
import type { Refusal } from '../refusal.ts';
import type { PeopleDeps, Sight } from './list-people.ts';
import {
  type CreditRow,
  type EventOfVisit,
  type PaymentOfPerson,
  type PersonQuery,
  toCreditStatement,
  toEventsStatement,
  toLoneGoalsStatement,
  toPaymentsStatement,
  toVisitCountStatement,
  toVisitsStatement,
  type VisitPlace,
  type VisitRow,
} from './story-sql.ts';
import { type StoryFacts, toStory } from './to-story.ts';

/** How a story is to be told. What is left out has its default. */
export type AskedStory = {
  readonly model?: string;
  readonly lookbackDays?: number | null;
  /** As in a query: a word, or two days or instants; all there is, if not said. */
  readonly dateRange?: SentQuery['date_range'];
  readonly timezone?: string;
  /** Visits of a page. */
  readonly limit?: number;
  readonly cursor?: string;
};

/**
 * The whole story of a person, who may be named by any of their visitors; nothing when nobody knows of
 * them. Throws when the warehouse does not answer, and when it is stopped.
 */
export type TellStory = (
  site: ReportSite,
  id: string,
  asked: AskedStory,
  sight: Sight,
  stops?: Stops,
) => Promise<Result<StoryAnswer | undefined, Refusal>>;

type Told = {
  readonly query: Query;
  readonly limit: number;
  readonly after: VisitPlace | undefined;
  /** What pages of one story have in common. */
  readonly same: unknown;
};

/** A function that tells stories from the warehouse, with what the ledger knows of the person. */
export function createTellStory({ warehouseOf, ledger, now }: PeopleDeps): TellStory {
  async function gather(warehouse: ReportWarehouse, told: Told, person: string) {
    const known = { ...told.query, has: await lookUp(warehouse, told.query) };
    const query: PersonQuery = { ...(await learnEffects(warehouse, known)), person };
    const [found, [count], payments, loneGoals, credits] = await Promise.all([
      warehouse.select<VisitRow>(toVisitsStatement(query, told.limit, told.after)),
      warehouse.select<{ visits: string }>(toVisitCountStatement(query)),
      warehouse.select<PaymentOfPerson>(toPaymentsStatement(query)),
      warehouse.select<EventOfVisit>(toLoneGoalsStatement(query)),
      warehouse.select<CreditRow>(toCreditStatement(query)),
    ]);
    const visits = found.slice(0, told.limit);
    const events = await findEvents(warehouse, query, visits);
    const visitCount = Number(count?.visits ?? 0);
    const facts: StoryFacts = { visits, visitCount, payments, loneGoals, credits, events };
    return { facts, query, hasMore: found.length > told.limit };
  }

  return async (site, id, asked, sight, stops) => {
    const warehouse = warehouseOf(site);
    const isAll = (asked.dateRange ?? 'all') === 'all';
    const earliestAt = isAll ? await findEarliest(warehouse, site.id) : undefined;
    const told = parseStory(site, id, asked, { now: now(), earliestAt });
    if (!told.ok) return told;
    const ask = async (stopping: ReportWarehouse) => {
      const person = await findPerson(stopping, site.id, id);
      const gathered = await gather(stopping, told.value, person);
      return tell(site, told.value, gathered, sight);
    };
    return withinLimits(warehouse, ask, stops);
  };

  function tell(
    site: ReportSite,
    told: Told,
    { facts, query, hasMore }: Awaited<ReturnType<typeof gather>>,
    sight: Sight,
  ): StoryAnswer | undefined {
    const { person, period, attribution } = query;
    const known = ledger.findPersonKeys(site.id, person);
    const isAlone = known.visitors.length === 0 && !person.startsWith('~');
    const keys = isAlone ? { ...known, visitors: [person] } : known;
    const identities = ledger.findIdentities(site.id, keys.visitors);
    const { visitCount, payments, loneGoals } = facts;
    const signs = [identities, payments, loneGoals, known.customers, known.emails];
    if (visitCount === 0 && signs.every((list) => list.length === 0)) return undefined;
    const transactions = payments.map((payment) => payment.transaction_id);
    const names = sight.isPersonal ? ledger.findPayerNames(site.id, transactions) : [];
    const last = hasMore ? facts.visits.at(-1) : undefined;
    return {
      ...toStory(facts, { site, person, keys, identities, names, sight }),
      meta: last === undefined ? {} : { next_cursor: toCursor(told, last) },
      query: {
        date_range: toAnsweredRange(period),
        timezone: period.timeZone,
        attribution: { model: attribution.model, lookback_days: attribution.lookbackDays },
        limit: told.limit,
      },
    };
  }
}

/** Who a visitor is, as every query has it. */
async function findPerson(warehouse: ReportWarehouse, siteId: string, id: string): Promise<string> {
  const [row] = await warehouse.select<{ person_id: string }>({
    sql: `SELECT person_id FROM persons FINAL
      WHERE site_id = {site:String} AND kind = 'visitor' AND key = {id:String}`,
    params: { site: siteId, id },
  });
  return row?.person_id ?? id;
}

async function findEvents(
  warehouse: ReportWarehouse,
  query: PersonQuery,
  visits: readonly VisitRow[],
): Promise<readonly EventOfVisit[]> {
  if (visits.length === 0) return [];
  const startsAt = Math.min(...visits.map((visit) => Number(visit.started_at)));
  const endsAt = Math.max(...visits.map((visit) => Number(visit.last_at)));
  const ids = visits.map((visit) => String(visit.visit));
  return warehouse.select<EventOfVisit>(toEventsStatement(query, ids, { startsAt, endsAt }));
}

function parseStory(
  site: ReportSite,
  id: string,
  asked: AskedStory,
  clock: { readonly now: number; readonly earliestAt: number | undefined },
): Result<Told, Refusal> {
  const { model = ATTRIBUTION_MODELS[0], lookbackDays = null, timezone } = asked;
  const faults: Fault[] = [];
  if (!isModel(model)) {
    const message = `must be one of ${ATTRIBUTION_MODELS.join(', ')}`;
    faults.push({ path: '/model', message });
  }
  const sent: SentQuery = {
    site_id: site.id,
    metrics: ['revenue', 'payments', 'conversions'],
    dimensions: ['visit:source'], // What is broken down by visits is credited to visits.
    date_range: asked.dateRange ?? 'all',
    attribution: { ...(isModel(model) && { model }), lookback_days: lookbackDays },
    ...(timezone !== undefined && { timezone }),
  };
  const query = parseQuery(sent, site, clock);
  if (!query.ok) faults.push(...query.error.details);
  const { cursor: text, limit = STORY_VISITS.byDefault, ...others } = asked;
  const same = [id, others];
  const cursor = text === undefined ? ok(undefined) : readCursor(text, same);
  if (!cursor.ok) faults.push({ ...cursor.error, path: '/cursor' });
  if (faults.length > 0 || !query.ok || !cursor.ok) {
    return refuse({ type: 'invalid_request', details: faults });
  }
  const [startedAt = '', visitId = ''] = (cursor.value?.after ?? []).map(String);
  const after = cursor.value && { startedAt, visitId };
  return ok({
    query: { ...query.value, dimensions: query.value.dimensions },
    limit,
    after,
    same,
  });
}

function isModel(model: string): model is AttributionModel {
  return ATTRIBUTION_MODELS.some((known) => known === model);
}

function toCursor({ query, same }: Told, last: VisitRow): string {
  return writeCursor(same, query.period, [String(last.started_at), String(last.visit)]);
}
