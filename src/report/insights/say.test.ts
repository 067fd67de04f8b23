import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Candidate } from './find-candidates.ts';
import { say } from './say.ts';

const SAYING = { money: (minor: number) => `€${minor / 100}`, revenue: 100_000, weeks: 8 };
const week = (count: number) => ({ count, of: 1 });
const rate = (count: number) => ({ count, of: 1_000 });

/** A kind, a dimension and value, what was counted now and usually, and the money of both. */
type Case = readonly [
  sentence: string,
  of: readonly [kind: Candidate['kind'], dimension: string, value: string],
  now: Candidate['now'],
  usual: Candidate['usual'],
  amounts?: readonly [now: number, usual: number],
];

const SOURCE = 'visit:source';
const CASES: readonly Case[] = [
  [
    'ChatGPT brought 412 visitors, three times as many as in a usual week.',
    ['visitors', SOURCE, 'ChatGPT'],
    week(412),
    week(140),
  ],
  [
    'Direct traffic brought 62 visitors, 38% fewer than in a usual week.',
    ['visitors', SOURCE, 'Direct'],
    week(62),
    week(100),
  ],
  [
    'Bing brought no visitors. Usually, it brings 120 a week.',
    ['visitors', SOURCE, 'Bing'],
    week(0),
    week(120),
  ],
  [
    'The campaign spring brought 1 visitor, after none in the 8 weeks before.',
    ['visitors', 'visit:campaign', 'spring'],
    week(1),
    week(0),
  ],
  [
    'The site had 1,500 visitors, half as many as in a usual week.',
    ['visitors', '', ''],
    week(1_500),
    week(3_000),
  ],
  [
    '90 visitors came from the United States, 50% more than in a usual week.',
    ['visitors', 'visit:country', 'US'],
    week(90),
    week(60),
  ],
  [
    'AI Assistants brought €85 from 4 payments, 8.5% of all revenue and twice as much as in a usual week.',
    ['revenue', 'visit:channel', 'AI Assistants'],
    ...([week(4), week(2), [8_500, 4_250]] as const),
  ],
  [
    'The site earned €850 from 40 payments, 29% less than in a usual week.',
    ['revenue', '', ''],
    ...([week(40), week(60), [85_000, 120_000]] as const),
  ],
  [
    'ChatGPT brought its first money in 9 weeks: €32 from 5 payments.',
    ['revenue', SOURCE, 'ChatGPT'],
    ...([week(5), week(0), [3_200, 0]] as const),
  ],
  [
    'Bing brought no money. Usually, it brings €410 a week.',
    ['revenue', SOURCE, 'Bing'],
    ...([week(0), week(5), [0, 41_000]] as const),
  ],
  [
    'The goal signup was reached 84 times, half as often as in a usual week.',
    ['goal', 'event:goal', 'signup'],
    week(84),
    week(160),
  ],
  [
    '€41 was refunded, 2.5 times as much as in a usual week.',
    ['refunds', '', ''],
    ...([week(0), week(0), [4_100, 1_640]] as const),
  ],
  [
    '€41 was disputed, after nothing in the 8 weeks before.',
    ['disputes', '', ''],
    ...([week(0), week(0), [4_100, 0]] as const),
  ],
  [
    '2.1% of visitors on phones became customers (21 of 1,000). Usually, 1.0% do.',
    ['conversion', 'visit:device', 'mobile'],
    rate(21),
    rate(10),
  ],
  [
    'Visitors from Germany became customers 2.3 times as often as all others: 2.1% against 0.9%.',
    ['contrast', 'visit:country', 'DE'],
    rate(21),
    rate(9),
  ],
  [
    'None of the visitors who entered on /café became a customer, but 0.9% of the others did.',
    ['contrast', 'visit:entry_page', '/caf%C3%A9'],
    rate(0),
    rate(9),
  ],
  [
    '61% of visits to /pricing ended there (610 of 1,000). Usually, 40% do.',
    ['exits', 'event:page', '/pricing'],
    rate(610),
    rate(400),
  ],
  [
    'Tuesday, 24 November had 900 visitors, twice as many as a usual Tuesday.',
    ['day_visitors', 'time:day', '2026-11-24'],
    week(900),
    week(450),
  ],
  [
    'Tuesday, 24 November brought €900 from 12 payments, twice as much as a usual Tuesday.',
    ['day_revenue', 'time:day', '2026-11-24'],
    ...([week(12), week(6), [90_000, 45_000]] as const),
  ],
];

describe('a sentence', () => {
  for (const [sentence, [kind, dimension, value], now, usual, money] of CASES) {
    it(`says: ${sentence}`, () => {
      const amounts = money && { now: money[0], before: [money[1]] };
      const candidate = {
        kind,
        dimension,
        value,
        now,
        usual,
        chance: 0,
        ...(amounts && { amounts }),
      };
      assert.equal(say(candidate, SAYING), sentence);
    });
  }
});
