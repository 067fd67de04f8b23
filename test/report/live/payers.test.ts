import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { LivePayment } from '#contract/live.ts';
import type { StreamMessage } from '#report/live/live-cursor.ts';
import { watchLive } from '#report/live/watch-live.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const SITE = 'site_live';

/** Ann came from Google, and today directly; Bob directly; nobody knows who else paid. All paid a minute ago. */
describe('a payment in the stream', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    const visits = [
      ['ann', 40 * 24, 'Google'],
      ['ann', 1, ''],
      ['bob', 1, ''],
    ] as const;
    await world.addEvents(
      visits.map(([visitor, hoursAgo, source]) => {
        const at = NOW - hoursAgo * 3_600_000;
        return {
          ...{ site_id: SITE, event_id: crypto.randomUUID(), type: 'pageview', path: '/' },
          ...{ visitor_id: visitor, visit_id: crypto.randomUUID(), visit_started_at: at },
          ...{ occurred_at: at, accepted_at: at, source },
        };
      }),
    );
    await world.addPayments(
      ['ann', 'bob', ''].map((visitor) => ({
        ...{ site_id: SITE, kind: 'payment', transaction_id: `t-${visitor}`, currency: 'EUR' },
        ...{ occurred_at: NOW - 60_000, paid_at: NOW - 60_000, amount_minor: 10_00n },
        visitor_id: visitor,
      })),
    );
  });
  after(() => world?.close());

  it('says the source of its payer’s first visit', async () => {
    const { promise, resolve } = Promise.withResolvers<readonly StreamMessage[]>();
    const watch = watchLive({ ship: async () => {}, select: world.warehouse.select }, () => NOW);
    const send = (messages: readonly StreamMessage[]) => {
      const payments = messages.filter(({ event }) => event === 'payment');
      if (payments.length > 0) resolve(payments);
    };
    watch.listen({ siteId: SITE, userId: undefined }, { send, end() {} }, NOW - 120_000);
    const payments = (await promise).map(({ data }) => JSON.parse(data) as LivePayment);
    watch.close();
    assert.deepEqual(payments.map(({ transaction_id: id, source }) => [id, source]).toSorted(), [
      ['t-', undefined],
      ['t-ann', 'Google'],
      ['t-bob', 'Direct'],
    ]);
  });
});
