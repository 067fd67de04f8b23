import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PaymentRequest } from '#contract/payments/payment.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { createChance } from './chance.ts';
import { imagineMembership } from './imagine-payments.ts';
import { createDemoPeriod } from './period.ts';

const PERIOD = createDemoPeriod(Date.UTC(2026, 10, 21), 180);

describe('the members of the demo’s tea club', () => {
  const members = Array.from({ length: 500 }, (_, seed) =>
    imagineMembership(createChance(seed, 0), { at: PERIOD.startsAt, visitorId: undefined }, PERIOD),
  );

  it('pay for one box or the other, and some change', () => {
    const boxes = members.map((charges) => new Set(charges.map(({ product }) => product)));
    assert.deepEqual([...new Set(boxes.flatMap((each) => [...each]))].toSorted(), [
      'Tea club',
      'Tea club, large box',
    ]);
    const changed = boxes.filter(({ size }) => size === 2).length;
    assert.ok(changed > 25 && changed < 150, `${changed}`);
  });

  it('are charged each month but for those who pause, after a free fortnight if any', () => {
    const gaps = members.flatMap(daysBetween);
    assert.deepEqual(
      [...new Set(gaps)].toSorted((a, b) => a - b),
      [14, 30, 44, 60],
    );
    const paused = gaps.filter((days) => days === 44 || days === 60).length;
    assert.ok(paused > 0.02 * gaps.length && paused < 0.08 * gaps.length, `${paused}`);
  });

  it('leave after a while, but not all', () => {
    const staying = members.filter((charges) => {
      const last = Date.parse(charges.at(-1)?.timestamp ?? '');
      return last > PERIOD.endsAt - 61 * DAY_MS;
    });
    assert.ok(staying.length > 200 && staying.length < 400, `${staying.length}`);
  });
});

function daysBetween(charges: readonly PaymentRequest[]): number[] {
  const times = charges.map(({ timestamp }) => Date.parse(timestamp ?? ''));
  return times.slice(1).map((at, index) => Math.round((at - (times[index] ?? 0)) / DAY_MS));
}
