import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseInsights } from './choose.ts';
import type { Candidate } from './find-candidates.ts';

const SCALE = { visitors: 1_000, customers: 50, revenue: 100_000 };
const week = (count: number) => ({ count, of: 1 });

function visitors(
  value: string,
  now: number,
  usual: number,
  more: Partial<Candidate> = {},
): Candidate {
  const subject = { kind: 'visitors', dimension: 'visit:source', value } as const;
  return { ...subject, now: week(now), usual: week(usual), chance: 1e-9, ...more };
}

function revenue(value: string, now: number, before: readonly number[]): Candidate {
  const counts = { now: week(9), usual: week(3), chance: 1e-9 };
  return { kind: 'revenue', dimension: 'visit:source', value, ...counts, amounts: { now, before } };
}

function namesOf(...tried: readonly Candidate[]): string[] {
  return chooseInsights(tried, SCALE).map(({ kind, value }) => `${kind} ${value}`);
}

describe('the choice of insights', () => {
  it('puts first what concerns most of the site, and money before visitors', () => {
    const tried = [visitors('Bing', 200, 100), revenue('Google', 20_000, [10_000])];
    assert.deepEqual(namesOf(...tried), ['revenue Google', 'visitors Bing']);
  });

  it('leaves out what may be chance', () => {
    assert.deepEqual(namesOf(visitors('Bing', 200, 100, { chance: 0.06 })), []);
  });

  it('leaves out what is sure and small: of its own size, or of the site', () => {
    assert.deepEqual(namesOf(visitors('Google', 600, 500), visitors('Bing', 12, 4)), []);
  });

  it('says a change once, by its most exact name', () => {
    const campaign = visitors('spring', 310, 10, { dimension: 'visit:campaign' });
    const all = visitors('', 1_300, 990, { dimension: '' });
    const tried = [all, visitors('Newsletter', 325, 20), campaign];
    assert.deepEqual(namesOf(...tried), ['visitors spring']);
  });

  it('says one thing of a source: its money, if both changed', () => {
    const tried = [visitors('ChatGPT', 300, 100), revenue('ChatGPT', 20_000, [10_000])];
    assert.deepEqual(namesOf(...tried), ['revenue ChatGPT']);
  });

  it('believes money only beyond every earlier week', () => {
    assert.deepEqual(namesOf(revenue('Google', 20_000, [1_000, 30_000, 1_000])), []);
  });

  it('is no news of less money paid back', () => {
    const refunds = { ...revenue('', 1_000, [9_000]), kind: 'refunds', dimension: '' } as const;
    assert.deepEqual(namesOf(refunds), []);
  });

  it('is at most two of a kind, and five', () => {
    const sources = ['A', 'B', 'C'].map((name, at) => visitors(name, 500 + 200 * at, 100));
    assert.deepEqual(namesOf(...sources), ['visitors C', 'visitors B']);
    const kinds = ['goal', 'exits', 'day_visitors', 'visitors', 'conversion', 'contrast'] as const;
    const tried = kinds.map((kind) => visitors(kind, 900, 100, { kind, dimension: kind }));
    assert.equal(namesOf(...tried).length, 5);
  });
});
