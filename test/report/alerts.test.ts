import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EventRow } from '#contract/rows/event-row.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { findAlerts } from '#notify/find-alerts.ts';
import { countNews } from '#report/live/count-news.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { BAKERY_EVENTS } from '../worlds/bakery.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

/** A Tuesday morning. */
const NOW = Date.parse('2026-11-24T09:30:00Z');
const KINDS = ['traffic', 'revenue', 'no_traffic', 'dropped_events'];

/** The real engine's answers, at a site with 40 visitors between six and nine on every day of nine weeks. */
describe('alerts', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    const days = Array.from({ length: 63 }, (_, back) => NOW - (back + 1) * DAY_MS);
    const usual = [
      ...days.flatMap((at) => toVisits('site_even', at, 40)),
      ...toVisits('site_even', NOW, 40),
    ];
    const quiet = days.slice(1).flatMap((at) => toVisits('site_quiet', at, 40));
    const young = days.slice(0, 10).flatMap((at) => toVisits('site_young', at, 40));
    await world.addEvents([
      ...usual,
      ...quiet,
      ...young,
      ...toVisits('site_quiet', days[0] ?? 0, 4),
    ]);
  });
  after(() => world?.close());

  async function kindsOf(id: string, drops = 0, timezone = 'UTC', now = NOW): Promise<string[]> {
    const { breakdowns } = createReports({ warehouse: world.warehouse, now: () => now });
    const found = await findAlerts(
      {
        async ask(site, query) {
          const answer = await breakdowns.answer(site, query);
          assert.ok(answer.ok, JSON.stringify(answer));
          return answer.value;
        },
        findDrops: async () => ({ counts: [{ reason: 'hostname_not_allowed', count: drops }] }),
      },
      { id, domain: 'tea.example', timezone, currency: 'EUR' },
      KINDS,
      now,
    );
    for (const { message } of found) assert.match(message, /tea\.example/);
    return found.map(({ kind }) => kind);
  }

  it('are none where everything is as usual', async () => {
    assert.deepEqual(await kindsOf('site_even'), []);
  });

  it('report a day with a tenth of the visitors, and hours without any', async () => {
    assert.deepEqual(await kindsOf('site_quiet'), ['traffic', 'no_traffic']);
  });

  it('know the hours of a day by the clock, whatever it did since', async () => {
    // On the day after clocks went back, at 10:30: people came from 10:10 to 11:30 on the four Mondays before.
    const now = Date.parse('2026-10-26T09:30:00Z');
    const weeks = [1, 2, 3, 4].map((back) => now - back * 7 * DAY_MS);
    await world.addEvents(weeks.flatMap((at) => toVisits('site_late', at, 20)));
    assert.deepEqual(await kindsOf('site_late', 0, 'Europe/Berlin', now), []);
    assert.deepEqual(await kindsOf('site_late', 0, 'UTC', now), ['no_traffic']);
  });

  it('wait until a site is old enough to have something usual', async () => {
    assert.deepEqual(await kindsOf('site_young'), []);
  });

  it('report events dropped by the hundred, where that is many', async () => {
    assert.deepEqual(await kindsOf('site_even', 500), ['dropped_events']);
    assert.deepEqual(await kindsOf('site_even', 20), []);
  });
});

describe('goals and payments as they happen', () => {
  let world: WorldWarehouse;
  const SITE = { id: 'site_news', timezone: 'UTC', currency: 'EUR' };
  const count = (wanted: Parameters<typeof countNews>[2], minutes = 1) =>
    countNews(world.warehouse, SITE, wanted, { after: NOW - minutes * 60_000, until: NOW });
  before(async () => {
    world = await openWorldWarehouse();
    const [like] = toVisits(SITE.id, NOW, 1);
    assert.ok(like);
    const goalAt = (accepted_at: number, more: Partial<EventRow> = {}): EventRow => {
      const [event] = toVisits(SITE.id, NOW, 1);
      const of = { type: 'goal', name: 'signup', occurred_at: accepted_at } as const;
      return { ...like, event_id: event?.event_id ?? '', ...of, accepted_at, ...more };
    };
    await world.addEvents([
      goalAt(NOW),
      goalAt(NOW - 60_000 + 1, { occurred_at: NOW - 60 * 60_000 }), // Sent late.
      goalAt(NOW - 60_000), // Before the window.
      goalAt(NOW + 1), // After it.
      goalAt(NOW, { name: 'other' }),
      goalAt(NOW, { site_id: 'site_other' }),
      goalAt(NOW, { bot_class: 'crawler' }),
      goalAt(NOW, { occurred_at: NOW - 2 * DAY_MS }), // An import.
    ]);
    const paid = (id: string, amount_minor: bigint, more: object = {}) => ({
      ...{ site_id: SITE.id, kind: 'payment' as const, transaction_id: id, currency: 'EUR' },
      ...{ occurred_at: NOW, paid_at: NOW, amount_minor, ...more },
    });
    const early = { occurred_at: NOW - 3_600_000, paid_at: NOW - 3_600_000 };
    await world.addRates('Date,USD\n2026-11-23,2.0');
    await world.addPayments([
      paid('small', 49_99n),
      paid('large', 50_00n),
      paid('dollars', 100_02n, { currency: 'USD' }),
      paid('trial', 0n),
      paid('before', 70_00n, early),
      paid('elsewhere', 70_00n, { site_id: 'site_other' }),
      paid('back', 70_00n, { kind: 'refund', original_transaction_id: 'large' }),
    ]);
  });
  after(() => world?.close());

  it('are goals of this name by people, by when they were accepted', async () => {
    assert.equal((await count({ goal: 'signup' })).count, 2);
    assert.equal((await count({ goal: 'signup' }, 2)).count, 3);
    assert.equal((await count({ goal: 'nothing' })).count, 0);
  });

  it('are payments from an amount up, in the currency of the site', async () => {
    assert.deepEqual(await count({ fromMinor: 0n }), { count: 3, minor: 150_00n });
    assert.deepEqual(await count({ fromMinor: 50_00n }), { count: 2, minor: 100_01n });
    assert.deepEqual(await count({ fromMinor: 50_01n }), { count: 1, minor: 50_01n });
    assert.deepEqual(await count({ fromMinor: 50_01n }, 90), { count: 2, minor: 120_01n });
  });
});

let made = 0;

/** Pageviews of as many visitors, spread over the three hours before an instant. */
function toVisits(siteId: string, until: number, count: number): EventRow[] {
  const [like] = BAKERY_EVENTS;
  assert.ok(like);
  return Array.from({ length: count }, (_, index) => {
    made += 1;
    const at = until - 60_000 - index * 4 * 60_000;
    const id = String(made).padStart(12, '0');
    return {
      ...like,
      ...{ site_id: siteId, visitor_id: `v-${made}`, occurred_at: at, visit_started_at: at },
      ...{ event_id: `00000000-0000-4000-8000-${id}`, visit_id: `00000000-0000-4000-9000-${id}` },
    };
  });
}
