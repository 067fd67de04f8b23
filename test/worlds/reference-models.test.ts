import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ATTRIBUTION_MODELS, type AttributionModel } from '#domain/attribution/models.ts';
import { splitAmount } from '#domain/money/split-amount.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { findPath, toWeights } from './reference-models.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');

/** `Search 14`: a visit by that channel so many days before noon of the 20th. */
function touch(text: string) {
  const [channel = '', days] = text.split(' ');
  return { at: NOON - Number(days) * DAY_MS, isDirect: channel === 'Direct', channel };
}

const EFFECTS = new Map([
  ['Search', 600],
  ['Email', 200],
]);

function sharesOf(model: AttributionModel, path: readonly string[]): bigint[] {
  return splitAmount(100_00n, toWeights(model, path.map(touch), EFFECTS));
}

describe('attribution models', () => {
  // As in docs/attribution.md.
  const path = ['Search 14', 'Email 7', 'Social 7', 'Direct 0'];
  const shares = {
    first_touch: [100_00n, 0n, 0n, 0n],
    last_touch: [0n, 0n, 0n, 100_00n],
    first_non_direct: [100_00n, 0n, 0n, 0n],
    last_non_direct: [0n, 0n, 100_00n, 0n],
    linear: [25_00n, 25_00n, 25_00n, 25_00n],
    position_based: [40_00n, 10_00n, 10_00n, 40_00n],
    time_decay: [11_11n, 22_22n, 22_22n, 44_45n],
    data_driven: [75_00n, 25_00n, 0n, 0n],
  } as const satisfies Record<AttributionModel, readonly bigint[]>;
  for (const model of ATTRIBUTION_MODELS) {
    it(`share out as the docs have it (${model})`, () => {
      assert.deepEqual(sharesOf(model, path), shares[model]);
    });
    it(`give a lone touch all (${model})`, () => {
      for (const lone of ['Direct 3', 'Search 800', 'Unheard 0']) {
        assert.deepEqual(sharesOf(model, [lone]), [100_00n]);
      }
    });
  }
  it('that skip Direct fall back to it when nothing else is there', () => {
    assert.deepEqual(sharesOf('first_non_direct', ['Direct 2', 'Direct 1']), [100_00n, 0n]);
    assert.deepEqual(sharesOf('last_non_direct', ['Direct 2', 'Direct 1']), [0n, 100_00n]);
    assert.deepEqual(sharesOf('first_non_direct', ['Direct 2', 'Email 1']), [0n, 100_00n]);
  });
  it('by position give two touches half each', () => {
    assert.deepEqual(sharesOf('position_based', ['Search 2', 'Email 1']), [50_00n, 50_00n]);
  });
  it('by data share a channel’s part among its touches, and all alike where nothing is known', () => {
    const twice = ['Search 3', 'Email 2', 'Search 1'];
    assert.deepEqual(sharesOf('data_driven', twice), [37_50n, 25_00n, 37_50n]);
    assert.deepEqual(sharesOf('data_driven', ['Odd 2', 'Direct 1']), [50_00n, 50_00n]);
  });
});

describe('the path to a payment', () => {
  const touches = [20, 10, 0, -1].map((days) => ({ at: NOON - days * DAY_MS }));

  it('has the touches up to it, within the lookback window, both ends included', () => {
    assert.deepEqual(findPath(touches.toReversed(), NOON, null), touches.slice(0, 3));
    assert.deepEqual(findPath(touches, NOON, 10), touches.slice(1, 3));
    assert.deepEqual(findPath(touches, NOON, 9), touches.slice(2, 3));
  });
  it('is the first touch within ten minutes after it when there is none before', () => {
    const paidAt = touches[2]?.at ?? 0;
    assert.deepEqual(findPath(touches.slice(2), paidAt - 600_000, null), touches.slice(2, 3));
    assert.deepEqual(findPath(touches.slice(2), paidAt - 600_001, null), []);
    assert.deepEqual(findPath(touches, paidAt - 600_000, 9), touches.slice(2, 3));
  });
  it('has one touch of a millisecond', () => {
    assert.equal(findPath([...touches, ...touches], NOON, null).length, 3);
  });
});
