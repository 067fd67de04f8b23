import type { EventRow } from '#contract/rows/event-row.ts';
import type { WorldPayment } from './open-warehouse.ts';
import { type EventTouch, touchesOf } from './touches-of.ts';

/** What happened on one site: raw facts, in any order. */
export type World = {
  readonly events: readonly EventRow[];
  readonly payments: readonly WorldPayment[];
};

/** What the reference model is asked: one source breakdown over a period. */
export type ReferenceQuery = {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly model: 'first_touch' | 'last_touch';
  readonly lookbackDays: number | null;
};

/** The numbers of one source, or of all. */
export type ReferenceRow = {
  readonly visitors: number;
  readonly visits: number;
  readonly bounces: number;
  readonly pageviews: number;
  readonly conversions: number;
  readonly converted: number;
  readonly payments: number;
  readonly revenueMinor: bigint;
};

/**
 * The same numbers as report's, by source: slow and obvious, straight from docs/metrics.md, with one
 * loop for each rule and no SQL.
 *
 * - Shape: rows by source, only those in which something was counted.
 */
export function reportBySource(world: World, query: ReferenceQuery): Map<string, ReferenceRow> {
  const visits = toVisits(world.events);
  const people = world.events.filter((event) => (event.bot_class ?? '') === '');
  const isInPeriod = (at: number) => at >= query.startsAt && at < query.endsAt;
  const sourceOf = (visitorId: string, at: number) => credited(visits, visitorId, at, query);

  const began = visits.filter((visit) => isInPeriod(visit.startedAt));
  const pageviews = people
    .filter((event) => event.type === 'pageview' && isInPeriod(event.occurred_at))
    .map((event) => ({
      source: visits.find((v) => v.id === event.visit_id)?.source ?? 'Unattributed',
    }));
  const goals = people
    .filter((event) => event.type === 'goal' && isInPeriod(event.occurred_at))
    .map((event) => ({
      visitorId: event.visitor_id,
      source: sourceOf(event.visitor_id, event.occurred_at),
    }));
  const money = world.payments
    .filter((row) => isInPeriod(row.occurred_at))
    .map((row) => ({ ...row, source: sourceOf(row.visitor_id ?? '', untilOf(row.paid_at)) }));

  const sources = new Set([...began, ...pageviews, ...goals, ...money].map(({ source }) => source));
  return new Map(
    [...sources].map((source) => {
      const of = <T extends { source: string }>(facts: readonly T[]) =>
        facts.filter((fact) => fact.source === source);
      return [
        source,
        {
          visitors: new Set(of(began).map((visit) => visit.visitorId)).size,
          visits: of(began).length,
          bounces: of(began).filter((visit) => visit.pageviews === 1 && visit.goals === 0).length,
          pageviews: of(pageviews).length,
          conversions: of(goals).length,
          converted: new Set(of(goals).map((goal) => goal.visitorId)).size,
          payments: of(money).filter((row) => row.kind === 'payment').length,
          revenueMinor: of(money).reduce(
            (sum, row) => (row.kind === 'refund' ? sum - row.amount_minor : sum + row.amount_minor),
            0n,
          ),
        },
      ] as const;
    }),
  );
}

type Visit = {
  readonly id: string;
  readonly visitorId: string;
  readonly startedAt: number;
  readonly touches: readonly EventTouch[];
  readonly source: string;
  readonly pageviews: number;
  readonly goals: number;
};

/** People's visits. A visit's source is that of its first event that has one. */
function toVisits(events: readonly EventRow[]): Visit[] {
  const ofVisits = events.filter((event) => event.visit_id !== undefined);
  const byVisit = Map.groupBy(ofVisits, (event) => event.visit_id ?? '');
  return [...byVisit].flatMap(([id, own]) => {
    const inOrder = own.toSorted((a, b) => a.occurred_at - b.occurred_at);
    const [first] = inOrder;
    if (first === undefined || own.some((event) => (event.bot_class ?? '') !== '')) return [];
    const touches = touchesOf(own);
    return [
      {
        id,
        visitorId: first.visitor_id,
        startedAt: first.visit_started_at ?? 0,
        touches,
        source: touches[0]?.source ?? 'Direct',
        pageviews: own.filter((event) => event.type === 'pageview').length,
        goals: own.filter((event) => event.type === 'goal').length,
      },
    ];
  });
}

/** A payment at midnight is known by its date only (the worlds' sites are in UTC). */
function untilOf(paidAt: number): number {
  return paidAt % 86_400_000 === 0 ? paidAt + 86_400_000 - 1 : paidAt;
}

function credited(
  visits: readonly Visit[],
  visitorId: string,
  at: number,
  { model, lookbackDays }: ReferenceQuery,
): string {
  const earliest = lookbackDays === null ? 0 : at - lookbackDays * 86_400_000;
  const touches = visits
    .filter((visit) => visit.visitorId === visitorId && visitorId !== '')
    .flatMap((visit) => visit.touches)
    .filter((touch) => touch.at >= earliest && touch.at <= at + 600_000)
    .toSorted((a, b) => a.at - b.at);
  const before = touches.filter((touch) => touch.at <= at);
  const touch = (model === 'first_touch' ? before[0] : before.at(-1)) ?? touches[0];
  return touch?.source ?? 'Unattributed';
}
