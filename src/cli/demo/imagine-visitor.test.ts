import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createChecker } from '#contract/checker.ts';
import { EventRequest } from '#contract/event.ts';
import { PaymentRequest } from '#contract/payments/payment.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { imagineVisitor } from './imagine-visitor.ts';
import { createDemoPeriod } from './period.ts';

const PERIOD = createDemoPeriod(Date.UTC(2026, 10, 21), 90);
const VISIT_GAP_MS = 30 * 60 * 1000;

const seed = fc.nat(2 ** 31);
const number = fc.nat(1_000_000);

/** Holds a law for the stories of many visitors. */
function forEveryStory(law: (story: ReturnType<typeof imagineVisitor>) => void): void {
  fc.assert(fc.property(seed, number, (s, n) => law(imagineVisitor(s, n, PERIOD))));
}

describe('the story of a visitor of the demo', () => {
  it('is the same for the same seed, number and period', () => {
    fc.assert(
      fc.property(seed, number, (s, n) => {
        assert.deepEqual(imagineVisitor(s, n, PERIOD), imagineVisitor(s, n, PERIOD));
      }),
    );
  });

  it('is of another visitor for another seed or number', () => {
    const ids = [0, 1, 2, 2 ** 32].flatMap((s) =>
      [0, 1, 2].map((n) => imagineVisitor(s, n, PERIOD).events[0]?.service_visitor_id),
    );
    assert.equal(new Set(ids).size, ids.length);
  });

  it('is sent in the words of the contract', () => {
    const [event, payment] = [createChecker(EventRequest), createChecker(PaymentRequest)];
    forEveryStory(({ events, payments }) => {
      for (const sent of events) assert.ok(event.isValid(sent), JSON.stringify(sent));
      for (const sent of payments) assert.ok(payment.isValid(sent), JSON.stringify(sent));
    });
  });

  it('begins within the period, and goes forward', () => {
    forEveryStory(({ events }) => {
      const times = events.map((event) => event.occurred_at ?? 0);
      assert.ok((times[0] ?? 0) >= PERIOD.startsAt && (times[0] ?? 0) < PERIOD.endsAt);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
    });
  });

  it('begins another visit exactly after a gap that ends one', () => {
    forEveryStory(({ events }) => {
      for (const [index, event] of events.entries()) {
        const before = events[index - 1];
        if (before === undefined) continue;
        const gapMs = (event.occurred_at ?? 0) - (before.occurred_at ?? 0);
        assert.equal(gapMs >= VISIT_GAP_MS, before.visit_id !== event.visit_id);
      }
    });
  });

  it('pays after its first page, and takes back no more than was paid', () => {
    forEveryStory(({ events, payments }) => {
      const arrivedAt = events[0]?.occurred_at ?? 0;
      const paid = new Map<string, number>();
      for (const { amount, refunded, timestamp, transaction_id } of payments) {
        assert.ok(Date.parse(timestamp ?? '') > arrivedAt);
        const before = paid.get(transaction_id);
        if (refunded) assert.ok(before !== undefined && amount <= before);
        else assert.equal(before, undefined);
        paid.set(transaction_id, amount);
        assert.equal(amount, Number(amount.toFixed(2)));
      }
    });
  });

  it('is one page and no money for a robot', () => {
    forEveryStory(({ isRobot, events, payments }) => {
      if (!isRobot) return;
      assert.equal(events.length, 1);
      assert.deepEqual(payments, []);
    });
  });
});

describe('the crowd of a demo that ends in the afternoon', () => {
  const AFTERNOON = createDemoPeriod(Date.UTC(2026, 10, 21, 15), 2);
  const lastDayAt = AFTERNOON.endsAt - 15 * 60 * 60 * 1000;
  const arrivals = Array.from({ length: 2_000 }, (_, index) =>
    Number(imagineVisitor(1, index, AFTERNOON).events[0]?.occurred_at),
  );

  it('comes on its last day as on the others, until it ends', () => {
    assert.ok(arrivals.every((at) => at >= AFTERNOON.startsAt && at < AFTERNOON.endsAt));
    const ofLastDay = arrivals.filter((at) => at >= lastDayAt).length;
    assert.ok(ofLastDay > 0.2 * arrivals.length && ofLastDay < 0.5 * arrivals.length);
  });
});

describe('the crowd of the demo', () => {
  const stories = Array.from({ length: 5_000 }, (_, index) => imagineVisitor(1, index, PERIOD));

  it('grows over the period', () => {
    const middle = (PERIOD.startsAt + PERIOD.endsAt) / 2;
    const early = stories.filter(({ events }) => (events[0]?.occurred_at ?? 0) < middle);
    assert.ok(early.length > 0.35 * stories.length && early.length < 0.48 * stories.length);
  });

  it('comes from ChatGPT more often in its last week, and leaves the page of an advertisement', () => {
    const weeks = Array.from({ length: 5 }, (_, back) => {
      const from = PERIOD.lastWeekAt - back * 7 * DAY_MS;
      const arrived = stories.filter(({ events: [first] }) => {
        const at = first?.occurred_at ?? 0;
        return at >= from && at < from + 7 * DAY_MS;
      });
      const by = (tag: string) => arrived.filter(({ events }) => events[0]?.url?.includes(tag));
      const lost = by('gift-box').filter(({ events: [a, b] }) => a?.visit_id !== b?.visit_id);
      return [by('chatgpt').length, lost.length / by('gift-box').length] as const;
    });
    const [[chats, lost], ...before] = weeks as [readonly [number, number]];
    const usual = (at: 0 | 1) => before.reduce((sum, week) => sum + week[at], 0) / before.length;
    assert.ok(chats > 2 * usual(0), `${weeks.join('; ')}`);
    assert.ok(lost > 2 * usual(1), `${weeks.join('; ')}`);
  });

  it('has payments, refunds, renewals and trials', () => {
    const payments = stories.flatMap((story) => story.payments);
    assert.ok(payments.length > 100);
    assert.ok(payments.some(({ refunded }) => refunded));
    assert.ok(payments.some(({ renewal }) => renewal));
    assert.ok(payments.some(({ amount }) => amount === 0));
    assert.ok(payments.some(({ service_visitor_id }) => service_visitor_id === undefined));
  });

  it('mints no id twice', () => {
    const ids = stories.flatMap(({ events }) => events.map((event) => event.event_id));
    assert.equal(new Set(ids).size, ids.length);
  });
});
