import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { removalEffects, type Transition } from './removal-effects.ts';

type Path = { readonly channels: readonly string[]; readonly isBought: boolean };

describe('removal effects', () => {
  it('are as worked out by hand in the docs', () => {
    // Half of the touches by Search lead on to Email, and half of Email's to buying …
    const effects = removalEffects(
      toSteps([
        { channels: ['Search', 'Email'], isBought: true },
        { channels: ['Search'], isBought: false },
        { channels: ['Email'], isBought: false },
        { channels: ['Direct'], isBought: true },
      ]),
    );
    // … so Search to Email to buying is 1/2 · 1/2 · 1/2, Email alone 1/4 · 1/2, Direct 1/4: together 1/2.
    assert.deepEqual(Object.fromEntries(effects), {
      Direct: 500_000_000,
      Email: 500_000_000,
      Search: 250_000_000,
    });
  });
  it('are none where nobody bought, or nobody came', () => {
    assert.equal(removalEffects([]).size, 0);
    const effects = removalEffects(toSteps([{ channels: ['Search'], isBought: false }]));
    assert.deepEqual([...effects], [['Search', 0]]);
  });

  const anyPath = fc.record({
    channels: fc.array(fc.constantFrom('Search', 'Email', 'Direct', 'Social'), {
      minLength: 1,
      maxLength: 6,
    }),
    isBought: fc.boolean(),
  });
  it('are what is lost when everybody leaves at the channel, as a slow walk finds', () => {
    fc.assert(
      fc.property(fc.array(anyPath, { minLength: 1, maxLength: 12 }), (paths) => {
        const steps = toSteps(paths);
        const all = walk(steps);
        for (const [channel, effect] of removalEffects(steps)) {
          const lost = all === 0 ? 0 : 1 - walk(steps, channel) / all;
          assert.ok(Math.abs(effect / 1e9 - lost) < 1e-6, `${channel}: ${effect}, ${lost}`);
        }
      }),
      { numRuns: 50 },
    );
  });
  it('do not depend on the order of the steps', () => {
    fc.assert(
      fc.property(fc.array(anyPath, { minLength: 1, maxLength: 8 }), (paths) => {
        const steps = toSteps(paths);
        assert.deepEqual(removalEffects(steps.toReversed()), removalEffects(steps));
      }),
      { numRuns: 50 },
    );
  });
});

function toSteps(paths: readonly Path[]): Transition[] {
  return paths.flatMap(({ channels, isBought }): Transition[] => [
    { of: 'start', to: channels[0] ?? '', count: 1 },
    ...channels.slice(1).map((to, index): Transition => {
      return { of: 'step', from: channels[index] ?? '', to, count: 1 };
    }),
    { of: 'end', from: channels.at(-1) ?? '', isBought, count: 1 },
  ]);
}

/** The share of buyers, followed step by step until hardly anybody is under way. */
function walk(steps: readonly Transition[], removed?: string): number {
  const starts = steps.filter((step) => step.of === 'start');
  let underWay = sumByChannel(starts.map(({ to }) => [to, 1 / starts.length]));
  let bought = 0;
  for (let round = 0; round < 2_000 && underWay.size > 0; round += 1) {
    const moves = [...underWay]
      .filter(([from, share]) => from !== removed && share > 1e-12)
      .flatMap(([from, share]) => {
        const leaving = steps.filter((step) => step.of !== 'start' && step.from === from);
        return leaving.map((step) => ({ step, part: share / leaving.length }));
      });
    for (const { step, part } of moves) if (step.of === 'end' && step.isBought) bought += part;
    underWay = sumByChannel(
      moves.flatMap(({ step, part }) => (step.of === 'step' ? [[step.to, part] as const] : [])),
    );
  }
  return bought;
}

function sumByChannel(parts: readonly (readonly [string, number])[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [channel, part] of parts) sums.set(channel, (sums.get(channel) ?? 0) + part);
  return sums;
}
