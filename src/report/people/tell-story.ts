import type { Fault } from '#contract/fault.ts';
import type { Query as SentQuery } from '#contract/query.ts';
import { STORY_VISITS, type StoryAnswer } from '#contract/story.ts';
import { ATTRIBUTION_MODELS, type AttributionModel } from '#domain/attribution/models.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { learnEffectsOf } from '../attribution/learn-effects.ts';
import type { ReportSite, ReportWarehouse, Stops } from '../ports.ts';
import { readCursor, writeCursor } from '../query/parse/cursor.ts';
import { type Clock, toAnsweredRange } from '../query/parse/parse-fields.ts';
import { parseQuery } from '../query/parse/parse-query.ts';
import { planFact } from '../query/plan/plan-fact.ts';
import { planScope } from '../query/plan/plan-scope.ts';
import type { Query } from '../query/query.ts';
import { createQueryKind, type Resolved } from '../query/query-kind.ts';
import type { Refusal } from '../refusal.ts';
import type { PeopleDeps, PeopleLedger } from './list-people.ts';
import type { Sight } from './people-query.ts';
import {
  type CreditRow,
  type EventOfVisit,
  type PaymentOfPerson,
  type StoryPlan,
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

type Sent = {
  readonly site_id: string;
  readonly date_range: SentQuery['date_range'];
  readonly id: string;
  readonly asked: AskedStory;
  readonly sight: Sight;
};

type Parsed = {
  readonly query: Query;
  readonly limit: number;
  readonly after: VisitPlace | undefined;
  /** What pages of one story have in common. */
  readonly same: unknown;
};

/** A function that tells stories from the warehouse, with what the ledger knows of the person. */
export function createTellStory({ ledger, ...parts }: PeopleDeps): TellStory {
  const kind = createQueryKind(parts, {
    parse: parseStory,
    async answer(warehouse, parsed, { id, sight }) {
      const plan = await planStory(warehouse, parsed, id);
      return ok(
        toStoryAnswer(await gather(warehouse, parsed, plan), { ledger, parsed, plan, sight }),
      );
    },
  });
  return (site, id, asked, sight, stops) => {
    const date_range = asked.dateRange ?? 'all';
    return kind.answer(site, { site_id: site.id, date_range, id, asked, sight }, stops);
  };
}

async function planStory(
  warehouse: ReportWarehouse,
  { query, facts }: Resolved<Parsed>,
  id: string,
): Promise<StoryPlan> {
  const [person, payments, conversions] = await Promise.all([
    findPerson(warehouse, query.site.id, id),
    learnEffectsOf(warehouse, planFact('payments', query, facts)),
    learnEffectsOf(warehouse, planFact('conversions', query, facts)),
  ]);
  return {
    ...planScope(query, facts),
    person,
    payments: { ...payments, person },
    conversions: { ...conversions, person },
  };
}

async function gather(
  warehouse: ReportWarehouse,
  { limit, after }: Parsed,
  plan: StoryPlan,
): Promise<StoryFacts & { readonly hasMore: boolean }> {
  const [found, [count], payments, loneGoals, credits] = await Promise.all([
    warehouse.select<VisitRow>(toVisitsStatement(plan, limit, after)),
    warehouse.select<{ visits: string }>(toVisitCountStatement(plan)),
    warehouse.select<PaymentOfPerson>(toPaymentsStatement(plan)),
    warehouse.select<EventOfVisit>(toLoneGoalsStatement(plan)),
    warehouse.select<CreditRow>(toCreditStatement(plan)),
  ]);
  const visits = found.slice(0, limit);
  const events = await findEvents(warehouse, plan, visits);
  const visitCount = Number(count?.visits ?? 0);
  return {
    visits,
    visitCount,
    payments,
    loneGoals,
    credits,
    events,
    hasMore: found.length > limit,
  };
}

function toStoryAnswer(
  { hasMore, ...facts }: Awaited<ReturnType<typeof gather>>,
  {
    ledger,
    parsed,
    plan: { site, person },
    sight,
  }: {
    readonly ledger: PeopleLedger;
    readonly parsed: Parsed;
    readonly plan: StoryPlan;
    readonly sight: Sight;
  },
): StoryAnswer | undefined {
  const { period, attribution } = parsed.query;
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
    meta: last === undefined ? {} : { next_cursor: toCursor(parsed, last) },
    query: {
      date_range: toAnsweredRange(period),
      timezone: period.timeZone,
      attribution: { model: attribution.model, lookback_days: attribution.lookbackDays },
      limit: parsed.limit,
    },
  };
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
  plan: StoryPlan,
  visits: readonly VisitRow[],
): Promise<readonly EventOfVisit[]> {
  if (visits.length === 0) return [];
  const startsAt = Math.min(...visits.map((visit) => Number(visit.started_at)));
  const endsAt = Math.max(...visits.map((visit) => Number(visit.last_at)));
  const ids = visits.map(({ visit }) => visit);
  return warehouse.select<EventOfVisit>(toEventsStatement(plan, ids, { startsAt, endsAt }));
}

function parseStory(
  { id, asked, date_range }: Sent,
  site: ReportSite,
  clock: Clock,
): Result<Parsed, Refusal> {
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
    date_range,
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
  return ok({ query: query.value, limit, after, same });
}

function isModel(model: string): model is AttributionModel {
  return ATTRIBUTION_MODELS.some((known) => known === model);
}

function toCursor({ query, same }: Parsed, last: VisitRow): string {
  return writeCursor(same, query.period, [last.started_at, last.visit]);
}
