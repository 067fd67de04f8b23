import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { EventRow } from '#contract/rows/event-row.ts';
import { HOUR_MS } from '#domain/time/durations.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { howMany } from '../../worlds/how-many.ts';
import {
  openWorldWarehouse,
  type WorldPayment,
  type WorldWarehouse,
} from '../../worlds/open-warehouse.ts';
import { type ReferenceQuery, reportBySource, type World } from '../../worlds/reference-report.ts';

/** How many worlds are tried; thousands before a release. */
const WORLDS = howMany(48);
/** So many are made at once, as each insert is fsynced. */
const WORLDS_AT_ONCE = 16;

let warehouse: WorldWarehouse;
before(async () => {
  warehouse = await openWorldWarehouse();
});
after(() => warehouse.close());

/** Worlds last forty days from here, so that periods cut visits, and refunds miss their payments. */
const EPOCH = Date.parse('2026-10-01T00:00:00Z');
const anyAt = fc.integer({ min: 0, max: 40 * 24 }).map((hours) => EPOCH + hours * HOUR_MS);
const anyVisitor = fc.constantFrom('ann', 'bob', 'cat');

type Deed = {
  readonly type: 'pageview' | 'goal';
  readonly afterMs: number;
  readonly way: Partial<EventRow>;
};
const GOOGLE = { source: 'Google', referrer: 'https://www.google.com/' };
/** From nowhere, by a tag, by a referrer, by both, or by a click id: all may come in the middle of a visit. */
const WAYS: readonly Partial<EventRow>[] = [
  ...[{}, {}, { source: 'Google' }, { source: 'Newsletter' }, GOOGLE],
  ...[
    { ...GOOGLE, medium: 'cpc', click_id: 'gclid' },
    { ...GOOGLE, campaign: 'autumn' },
  ],
];
const anyDeed: fc.Arbitrary<Deed> = fc.record({
  type: fc.constantFrom('pageview', 'pageview', 'goal'),
  afterMs: fc.integer({ min: -200_000, max: HOUR_MS }),
  way: fc.constantFrom(...WAYS),
});
const anyVisit = fc.record({
  visitor: anyVisitor,
  startedAt: anyAt,
  isBot: fc.constantFrom(false, false, false, true),
  // Deeds of a visit at different instants: which of two at the same one is first, is nobody's to say.
  deeds: fc.uniqueArray(anyDeed, { minLength: 1, maxLength: 4, selector: (deed) => deed.afterMs }),
});
const anyLateGoal = fc.record({ visitor: anyVisitor, at: anyAt });
const anyPayment = fc.record({
  visitor: fc.constantFrom('ann', 'bob', 'cat', '', 'stranger'),
  at: anyAt,
  amountMinor: fc.bigInt({ min: 0n, max: 10n ** 14n }),
  refundAt: fc.option(anyAt),
});
const anyWorld = fc.record({
  visits: fc.uniqueArray(anyVisit, { maxLength: 8, selector: (visit) => visit.startedAt }),
  lateGoals: fc.array(anyLateGoal, { maxLength: 3 }),
  payments: fc.array(anyPayment, { maxLength: 6 }),
});
const anyQuery: fc.Arbitrary<ReferenceQuery> = fc
  .record({
    ends: fc.tuple(anyAt, anyAt).filter(([a, b]) => a !== b),
    model: fc.constantFrom('first_touch', 'last_touch'),
    lookbackDays: fc.constantFrom(null, 1, 10),
  })
  .map(({ ends, ...rest }) => ({
    startsAt: Math.min(...ends),
    endsAt: Math.max(...ends),
    ...rest,
  }));

function toWorld(
  siteId: string,
  drawn: typeof anyWorld extends fc.Arbitrary<infer W> ? W : never,
): World {
  const event = (type: EventRow['type'], visitorId: string, at: number): EventRow => ({
    site_id: siteId,
    occurred_at: at,
    accepted_at: at,
    event_id: crypto.randomUUID(),
    type,
    visitor_id: visitorId,
  });
  const ofVisits = drawn.visits.flatMap((visit) => {
    const visitId = crypto.randomUUID();
    return visit.deeds.map((deed) => ({
      ...event(deed.type, visit.visitor, visit.startedAt + deed.afterMs),
      visit_id: visitId,
      visit_started_at: visit.startedAt,
      ...deed.way,
      bot_class: visit.isBot ? 'declared' : '',
    }));
  });
  const payments = drawn.payments.flatMap((payment, index): WorldPayment[] => {
    const row: WorldPayment = {
      site_id: siteId,
      kind: 'payment',
      transaction_id: `p${index}`,
      occurred_at: payment.at,
      paid_at: payment.at,
      amount_minor: payment.amountMinor,
      currency: 'EUR',
      visitor_id: payment.visitor,
    };
    if (payment.refundAt === null) return [row];
    return [row, { ...row, kind: 'refund', occurred_at: payment.refundAt }];
  });
  const lateGoals = drawn.lateGoals.map(({ visitor, at }) => event('goal', visitor, at));
  return { events: [...ofVisits, ...lateGoals], payments };
}

describe('report and the reference model', () => {
  it('agree on every source of every world, its days settled or not, to the cent', async () => {
    let worlds = 0;
    const drawn = fc.array(fc.tuple(anyWorld, anyQuery), {
      minLength: WORLDS_AT_ONCE,
      maxLength: WORLDS_AT_ONCE,
    });
    await fc.assert(
      fc.asyncProperty(drawn, async (pairs) => {
        const asked = pairs.map(([any, query]) => {
          worlds += 1;
          const siteId = `site_${worlds}`;
          return { siteId, query, world: toWorld(siteId, any) };
        });
        // All at once: each insert is fsynced.
        const events = asked.flatMap(({ world }) => world.events);
        const late = Math.floor(events.length * 0.7);
        await warehouse.addEvents(events.slice(0, late));
        await warehouse.merge();
        await warehouse.addPayments(asked.flatMap(({ world }) => world.payments));
        await warehouse.addEvents(events.slice(late));
        for (const { siteId, query, world } of asked) {
          assert.deepEqual(await askReport(siteId, query), toLines(world, query));
        }
      }),
      { numRuns: Math.ceil(WORLDS / WORLDS_AT_ONCE), endOnFailure: true },
    );
    assert.ok(worlds >= WORLDS);
  });
});

async function askReport(siteId: string, query: ReferenceQuery): Promise<string[]> {
  const { breakdowns: report } = createReports({
    warehouse: warehouse.warehouse,
    now: () => query.endsAt,
  });
  const instant = (at: number) => new Date(at).toISOString();
  const answer = await report.answer(
    { id: siteId, timezone: 'UTC', currency: 'EUR' },
    {
      site_id: siteId,
      metrics: [
        'visitors',
        'visits',
        'bounce_rate',
        'pageviews',
        'conversions',
        'conversion_rate',
        'payments',
        'revenue',
      ],
      dimensions: ['visit:source'],
      date_range: [instant(query.startsAt), instant(query.endsAt)],
      attribution: { model: query.model, lookback_days: query.lookbackDays },
      order_by: [['visit:source', 'asc']],
    },
  );
  assert.ok(answer.ok);
  return answer.value.results.map(({ dimensions, metrics }) =>
    [
      ...dimensions,
      ...metrics.map((value) =>
        typeof value === 'object' && value !== null ? value.value : value,
      ),
    ].join(' | '),
  );
}

function toLines(world: World, query: ReferenceQuery): string[] {
  const rows = [...reportBySource(world, query)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return rows.map(([source, row]) => {
    const percent = (part: number, whole: number) =>
      whole === 0 ? null : Math.round((10_000 * part) / whole) / 100;
    const cents = `${row.revenueMinor < 0n ? -row.revenueMinor : row.revenueMinor}`.padStart(
      3,
      '0',
    );
    return [
      source,
      row.visitors,
      row.visits,
      percent(row.bounces, row.visits),
      row.pageviews,
      row.conversions,
      percent(row.converted, row.visitors),
      row.payments,
      `${row.revenueMinor < 0n ? '-' : ''}${cents.slice(0, -2)}.${cents.slice(-2)}`,
    ].join(' | ');
  });
}
