import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseInsights } from './choose.ts';
import { type Candidate, findCandidates } from './find-candidates.ts';
import type { Observed, ObservedWeek, WeekFigures } from './observe.ts';
import { daysOfWeek, toWeeks } from './weeks.ts';

/** What differs from a usual week, and how much weeks vary beyond chance. */
type World = {
  readonly seed: number;
  /** This week's visitors by source, as a multiple. */
  readonly visitors?: Readonly<Record<string, number>>;
  /** This week's share of buyers, by country, source or page, as a multiple. */
  readonly buyers?: Readonly<Record<string, number>>;
  readonly exits?: Readonly<Record<string, number>>;
  /** The standard deviation of a week's visitors of a source, as a share, beside chance. */
  readonly unrest?: number;
  readonly refunds?: number;
};

const SOURCES = {
  Google: 500,
  Direct: 300,
  Bing: 120,
  Newsletter: 60,
  ChatGPT: 25,
  'Hacker News': 8,
};
const COUNTRIES = ['DE', 'US', 'AT', 'FR', 'JP'];
const PAGES = ['/', '/pricing', '/blog', '/docs', '/about'];
const SHARE = 0.03;
const NOW = Date.UTC(2026, 10, 30, 12);

/** A site of nine weeks at random: Poisson counts around the same means, log-normal orders. */
function imagine(world: World): Observed {
  const chance = randomOf(world.seed);
  const ranges = toWeeks(NOW, 'UTC');
  const days = ranges.flatMap((range, back) =>
    daysOfWeek(range).map((day): [string, WeekFigures] => {
      const refunds = moneyOf(
        poisson(back === 0 ? 0.5 * (world.refunds ?? 1) : 0.5, chance),
        chance,
      );
      const payments = poisson(SCALE.customers / 7, chance);
      const revenue = moneyOf(payments, chance);
      const visitors = poisson(SCALE.visitors / 7, chance);
      return [day, { visitors, payments, revenue, refunds }];
    }),
  );
  const weeks = ranges.map((range, back) => ({
    ...range,
    tables: imagineWeek(back === 0 ? world : { seed: 0, unrest: world.unrest ?? 0 }, chance),
  }));
  return { weeks, days: new Map(days) };
}

function imagineWeek(world: World, chance: () => number): ObservedWeek['tables'] {
  const { visitors = {}, buyers = {}, exits = {}, unrest = 0 } = world;
  const drawAll = (means: Readonly<Record<string, number>>) => {
    const rows = Object.entries(means).map(([name, mean]): [string, WeekFigures] => {
      const shaken = mean * Math.exp(unrest * normal(chance)) * (visitors[name] ?? 1);
      const came = poisson(shaken, chance);
      const paid = poisson(came * SHARE * (buyers[name] ?? 1), chance);
      const figures = { payments: paid, new_customers: paid, revenue: moneyOf(paid, chance) };
      return [name, { visitors: came, visits: came, ...figures }];
    });
    return new Map(rows);
  };
  const evenly = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, SCALE.visitors / names.length]));
  const pages = drawAll(evenly(PAGES));
  const lost = [...pages].map(([page, { visits = 0 }]): [string, WeekFigures] => [
    page,
    { visits: Math.min(visits, poisson(0.4 * visits * (exits[page] ?? 1), chance)) },
  ]);
  return new Map([
    ['', drawAll({ '': SCALE.visitors })],
    ['visit:source', drawAll(SOURCES)],
    ['visit:country', drawAll(evenly(COUNTRIES))],
    ['visit:device', drawAll(evenly(['desktop', 'mobile']))],
    ['visit:entry_page', drawAll(evenly(PAGES))],
    ['event:page', pages],
    ['visit:exit_page', new Map(lost)],
  ]);
}

const SCALE = { visitors: 1_013, customers: 30, revenue: 100_000 };
const insightsOf = (world: World) => chooseInsights(findCandidates(imagine(world)), SCALE);
const name = ({ kind, value, now, usual }: Candidate) =>
  `${kind} ${value} ${now.count / now.of >= usual.count / usual.of ? 'up' : 'down'}`;

describe('insights', () => {
  const WORLDS = 200;
  const speaking = (of: Omit<World, 'seed'>) =>
    Array.from({ length: WORLDS }, (_, seed) => insightsOf({ ...of, seed: seed + 1 })).filter(
      (found) => found.length > 0,
    );

  it('are silent in at least 95 of 100 worlds where nothing changes', (t) => {
    const loud = speaking({});
    t.diagnostic(`${loud.length} of ${WORLDS}: ${loud.flat().map(name)}`);
    assert.ok(loud.length <= 0.05 * WORLDS);
  });

  it('are as silent where weeks vary by a fifth on their own', (t) => {
    const loud = speaking({ unrest: 0.2 });
    t.diagnostic(`${loud.length} of ${WORLDS}: ${loud.flat().map(name)}`);
    assert.ok(loud.length <= 0.05 * WORLDS);
  });

  const planted: readonly (readonly [string, string, Omit<World, 'seed'>])[] = [
    ['a source with three times its visitors', 'visitors ChatGPT up', { visitors: { ChatGPT: 3 } }],
    ['a source that is gone', 'visitors Bing down', { visitors: { Bing: 0 } }],
    [
      'a country that buys five times as often',
      '(conversion|contrast) AT up',
      { buyers: { AT: 5 } },
    ],
    ['a page that loses twice as many', 'exits /pricing up', { exits: { '/pricing': 2 } }],
    ['a source that brings four times its money', 'revenue Direct up', { buyers: { Direct: 4 } }],
    ['refunds on every day', 'refunds  up', { refunds: 8 }],
  ];
  for (const [what, said, world] of planted) {
    it(`name ${what} in at least nine of ten worlds`, (t) => {
      const found = Array.from({ length: 20 }, (_, seed) =>
        insightsOf({ ...world, seed: seed + 1 }).map(name),
      );
      t.diagnostic(found.join(' | '));
      assert.ok(
        found.filter((names) => names.some((each) => new RegExp(`^${said}$`).test(each))).length >=
          18,
      );
    });
  }
});

/** Mulberry32: the same worlds in every run. */
function randomOf(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function normal(chance: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
}

/** By the exponential times between events; of many, by the normal distribution. */
function poisson(mean: number, chance: () => number): number {
  if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(chance)));
  let count = -1;
  for (let at = 0; at <= mean && mean > 0; count++) at += -Math.log(1 - chance());
  return Math.max(0, count);
}

/** So many orders, most of them small and some of them huge. */
function moneyOf(orders: number, chance: () => number): number {
  const amounts = Array.from({ length: orders }, () =>
    Math.round(2_000 * Math.exp(normal(chance))),
  );
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
