import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createChecker } from '#contract/checker.ts';
import type { SentQuery } from '#contract/query.ts';
import { InsightsAnswer } from '#contract/reports/insights.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { DAY_MS, HOUR_MS } from '#domain/time/durations.ts';
import { createReports } from '#report/reports/create-reports.ts';
import {
  openWorldWarehouse,
  type WorldPayment,
  type WorldWarehouse,
} from '../worlds/open-warehouse.ts';

const SITE = { id: 'site_tea', timezone: 'UTC', currency: 'EUR' } as const;
const ANSWERS = createChecker(InsightsAnswer);
/** Monday, noon. The last seven whole days are 23 to 29 November. */
const NOW = Date.UTC(2026, 10, 30, 12);
const TODAY = NOW - 12 * HOUR_MS;

/**
 * A site since 27 September, a Sunday. Every day 20 visitors come from Google, and one of them buys for 20.00, and two
 * from ChatGPT. In the last week nine come from ChatGPT, and three of them buy for 30.00. A bot comes a hundred times on
 * its last day, and today, which is not over, nobody.
 */
describe('the insights of a week', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    const days = Array.from({ length: 64 }, (_, back) => back + 1);
    await world.addEvents([
      ...days.flatMap((back) => visits(back, 'Google', 20)),
      ...days.flatMap((back) => visits(back, 'ChatGPT', back <= 7 ? 9 : 2)),
      ...visits(1, 'Bing', 100, { bot_class: 'declared' }),
    ]);
    await world.addPayments([
      ...days.map((back) => payment(back, 'Google', 0, 20_00n)),
      ...days
        .filter((back) => back <= 7)
        .flatMap((back) => [0, 1, 2].map((at) => payment(back, 'ChatGPT', at, 30_00n))),
    ]);
  });
  after(() => world?.close());

  const reportsAt = (now: number) => createReports({ warehouse: world.warehouse, now: () => now });
  async function ask(now: number): Promise<InsightsAnswer> {
    const answer = await reportsAt(now).insights(SITE);
    assert.deepEqual(ANSWERS.findFaults(answer), [], 'the answer is as OpenAPI says');
    return answer;
  }

  it('are sentences, the weightiest first', async () => {
    const { results, week, compared_with: comparedWith, weeks } = await ask(NOW);
    assert.deepEqual(
      results.map(({ sentence }) => sentence),
      [
        'ChatGPT brought its first money in 9 weeks: €630.00 from 21 payments.',
        '14% of visitors became customers (28 of 203). Usually, 4.5% do.',
      ],
    );
    assert.deepEqual(week, ['2026-11-23', '2026-11-29']);
    assert.deepEqual([comparedWith, weeks], [['2026-09-28', '2026-11-22'], 8]);
  });

  it('have the figures of their queries', async () => {
    const { breakdowns } = reportsAt(NOW);
    const { results } = await ask(NOW);
    const [source, share] = await Promise.all(
      results.map(async ({ query }) => {
        const answer = await breakdowns.answer(SITE, { site_id: SITE.id, ...query } as SentQuery);
        return answer.ok ? answer.value.results[0]?.metrics : answer;
      }),
    );
    assert.deepEqual(source, [{ value: '630.00', currency: 'EUR' }, 21]);
    assert.deepEqual(source?.[0 as never], results[0]?.value);
    assert.deepEqual(share, [28, 203]);
    assert.equal(results[1]?.value, Math.round((10_000 * 28) / 203) / 100);
  });

  it('are none in a week like all others', async () => {
    assert.deepEqual((await ask(NOW - 7 * DAY_MS)).results, []);
  });

  it('need four whole weeks before: the first day of a site is not whole', async () => {
    const {
      results,
      weeks,
      weeks_needed: needed,
      compared_with: comparedWith,
    } = await ask(NOW - 28 * DAY_MS);
    assert.deepEqual(
      [results, weeks, needed, comparedWith],
      [[], 4, 4, ['2026-09-28', '2026-10-25']],
    );
    const young = await ask(NOW - 35 * DAY_MS);
    assert.deepEqual([young.results, young.weeks, young.compared_with], [[], 3, null]);
  });
});

function visits(
  back: number,
  source: string,
  count: number,
  more: Partial<EventRow> = {},
): EventRow[] {
  return Array.from({ length: count }, (_, index) => {
    const at = TODAY - back * DAY_MS + (index + 1) * 1_000;
    return {
      ...{ site_id: SITE.id, occurred_at: at, accepted_at: at, event_id: crypto.randomUUID() },
      ...{ type: 'pageview', visitor_id: nameOf(back, source, index), path: '/', source },
      ...{ visit_id: crypto.randomUUID(), visit_started_at: at, ...more },
    };
  });
}

function payment(back: number, source: string, index: number, amountMinor: bigint): WorldPayment {
  const visitorId = nameOf(back, source, index);
  const at = TODAY - back * DAY_MS + HOUR_MS;
  return {
    ...{ site_id: SITE.id, kind: 'payment', transaction_id: `t-${visitorId}` },
    ...{ occurred_at: at, paid_at: at, amount_minor: amountMinor },
    ...{ currency: 'EUR', visitor_id: visitorId },
  };
}

function nameOf(back: number, source: string, index: number): string {
  return `${source}-${back}-${index}`;
}
