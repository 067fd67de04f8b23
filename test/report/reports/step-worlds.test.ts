import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Beginning, Step, Within } from '#contract/step.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { howMany } from '../../worlds/how-many.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';
import { funnelBySource, medianOf, type ReferenceFunnel } from '../../worlds/reference-funnel.ts';
import { waysOf } from '../../worlds/reference-journeys.ts';
import { purchasesOf, type ReferencePurchase } from '../../worlds/reference-purchases.ts';
import { anyDrawnWorld, anyInstant, type StepWorld, toStepWorld } from '../../worlds/step-world.ts';

/** How many worlds are tried; thousands before a release. */
const WORLDS = howMany(16);
/** So many stand on one site, as one query costs as much as many. */
const WORLDS_OF_SITE = 8;
const SITES_AT_ONCE = 2;

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom('/', '/a', '/docs/x', '/docs/*', '/docs/**', '/**', '**/x', '*').map((path) => ({
    type: 'page' as const,
    path,
  })),
  fc.constantFrom('signup', 'sign*', '*').map((name) => ({ type: 'goal' as const, name })),
  fc.constantFrom('any', 'any', 'new', 'renewal', 'trial').map((kind) => ({
    type: 'payment' as const,
    kind: kind as 'any',
  })),
);
const anyWithin: fc.Arbitrary<Within> = fc.constantFrom<Within>(
  ...([
    'visit',
    'visit',
    { days: 1 },
    { days: 90 },
    { hours: 10 },
    { seconds: 60 },
    { seconds: 1 },
  ] as const),
);
const anyFunnel = fc.record({
  ends: fc.uniqueArray(anyInstant, { minLength: 2, maxLength: 2 }),
  steps: fc.array(anyStep, { minLength: 2, maxLength: 4 }),
  within: anyWithin,
  by: fc.constantFrom('person' as const, 'visitor' as const),
});
/** A step as paths name it. */
const anyWalked: fc.Arbitrary<Step> = fc.constantFrom<Step>(
  ...([
    { type: 'page', path: '/' },
    { type: 'page', path: '/a' },
    { type: 'page', path: '/docs/**' },
    { type: 'goal', name: 'signup' },
    { type: 'payment', kind: 'new' },
  ] as const),
);
const anyAnchor = fc.oneof(
  fc.record({
    direction: fc.constantFrom('from' as const, 'to' as const),
    anchor: anyStep as fc.Arbitrary<Beginning>,
  }),
  fc.constant({ direction: 'from', anchor: { type: 'visit' } } as const),
);
const anyJourneys = fc.record({
  ends: fc.uniqueArray(anyInstant, { minLength: 2, maxLength: 2 }),
  beginning: anyAnchor,
  after: fc.oneof(fc.constant<Step[]>([]), fc.array(anyWalked, { maxLength: 2 })),
  within: anyWithin,
  by: fc.constantFrom('person' as const, 'visitor' as const),
  depth: fc.integer({ min: 1, max: 4 }),
  breadth: fc.integer({ min: 1, max: 4 }),
});
const anyPurchases = fc.record({
  ends: fc.uniqueArray(anyInstant, { minLength: 2, maxLength: 2 }),
  model: fc.constantFrom('first_touch' as const, 'last_touch' as const),
  lookbackDays: fc.constantFrom(null, 1),
});
type AskedPurchases = typeof anyPurchases extends fc.Arbitrary<infer Asked> ? Asked : never;
type AskedJourneys = typeof anyJourneys extends fc.Arbitrary<infer Asked> ? Asked : never;
type AskedFunnel = typeof anyFunnel extends fc.Arbitrary<infer Asked> ? Asked : never;

let world: WorldWarehouse;
before(async () => {
  world = await openWorldWarehouse();
  await world.addRates('Date,USD,\n2026-09-01,1.25,\n');
});
after(() => world?.close());

describe('on random worlds', () => {
  it(`funnels, journeys and ways to purchases agree with their references (${WORLDS} worlds)`, async () => {
    let siteNumber = 0;
    const anySite = fc.record({
      worlds: fc.array(anyDrawnWorld, { minLength: WORLDS_OF_SITE, maxLength: WORLDS_OF_SITE }),
      funnels: fc.tuple(anyFunnel, anyFunnel),
      journeys: fc.tuple(anyJourneys, anyJourneys),
      purchases: fc.tuple(anyPurchases),
    });
    const drawn = fc.array(anySite, { minLength: SITES_AT_ONCE, maxLength: SITES_AT_ONCE });
    await fc.assert(
      fc.asyncProperty(drawn, async (pairs) => {
        const sites = pairs.map(({ worlds, ...asked }) => {
          siteNumber += 1;
          return { ...toSite(siteNumber, worlds), ...asked };
        });
        await addSites(sites, { isSettled: siteNumber % 4 === 0 });
        for (const { siteId, world: site, ...asked } of sites) {
          for (const each of asked.funnels) {
            assert.deepEqual(await funnelOf(siteId, each), expectedOf(site, each), textOf(each));
          }
          for (const each of asked.journeys) {
            assert.deepEqual(
              await journeysOf(siteId, each),
              expectedWays(site, each),
              textOf(each),
            );
          }
          for (const each of asked.purchases) {
            const found = await purchasesIn(siteId, each);
            assert.deepEqual(found, expectedPurchases(site, each), textOf(each));
          }
        }
      }),
      { numRuns: Math.ceil(WORLDS / WORLDS_OF_SITE / SITES_AT_ONCE), endOnFailure: true },
    );
  });
});

type Site = { readonly siteId: string; readonly world: StepWorld };

/** On every other site nobody is known to be anybody else. */
function toSite(number: number, worlds: Parameters<typeof toStepWorld>[1]): Site {
  const siteId = `site_steps_${number}`;
  const all = toStepWorld(siteId, worlds);
  return { siteId, world: number % 2 === 0 ? { ...all, persons: new Map() } : all };
}

async function addSites(
  sites: readonly Site[],
  { isSettled }: { readonly isSettled: boolean },
): Promise<void> {
  await world.addEvents(sites.flatMap((site) => site.world.events));
  if (isSettled) await world.merge();
  await world.addPayments(sites.flatMap((site) => site.world.payments));
  await world.addPersons(
    sites.flatMap((site) =>
      [...site.world.persons].map(([key, person]) => {
        const [kind = '', id = ''] = key.split(' ');
        return [kind, id, person, site.siteId] as const;
      }),
    ),
  );
}

function textOf(asked: unknown): string {
  return JSON.stringify(asked);
}

function expectedOf(site: StepWorld, asked: AskedFunnel): string[] {
  const [startsAt = 0, endsAt = 0] = asked.ends.toSorted((a, b) => a - b);
  const { steps, by } = asked;
  const within: ReferenceFunnel['within'] = asked.within === 'visit' ? 'visit' : msOf(asked.within);
  const rows = funnelBySource(site, { startsAt, endsAt, steps, within, by });
  return [...rows]
    .map(([source, { reached, stepSeconds, totalSeconds, revenueMinor }]) =>
      [source, reached, [null, ...stepSeconds], [null, ...totalSeconds], money(revenueMinor)].join(
        ' | ',
      ),
    )
    .toSorted();
}

async function funnelOf(siteId: string, { ends, ...asked }: AskedFunnel): Promise<string[]> {
  const { funnel } = createReports({ warehouse: world.warehouse, now: () => Math.max(...ends) });
  const answer = await funnel.answer(
    { id: siteId, timezone: 'UTC', currency: 'EUR' },
    {
      site_id: siteId,
      date_range: rangeOf(ends),
      dimensions: ['visit:source'],
      ...asked,
    },
  );
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.value.results
    .map(({ dimensions: [source], steps, revenue }) =>
      [
        source,
        steps.map(({ reached }) => reached),
        steps.map((step) => step.median_seconds),
        steps.map((step) => step.median_seconds_from_start),
        revenue.value,
      ].join(' | '),
    )
    .toSorted();
}

function expectedWays(
  site: StepWorld,
  { ends, within, beginning, after: walked, ...asked }: AskedJourneys,
): string[] {
  const [startsAt = 0, endsAt = 0] = ends.toSorted((a, b) => a - b);
  const windowed = within === 'visit' ? 'visit' : msOf(within);
  const ways = waysOf(site, {
    ...{ ...asked, ...beginning, after: walked.map(textOfStep) },
    ...{ startsAt, endsAt, within: windowed },
  });
  return ways.map(({ path, reached, ended, other, revenueMinor }) =>
    [path.join(' > '), reached, ended, other, money(revenueMinor)].join(' | '),
  );
}

async function journeysOf(
  siteId: string,
  { ends, beginning: { direction, anchor }, ...asked }: AskedJourneys,
): Promise<string[]> {
  const { journeys } = createReports({
    warehouse: world.warehouse,
    now: () => Math.max(...ends),
  });
  const answer = await journeys.answer(
    { id: siteId, timezone: 'UTC', currency: 'EUR' },
    {
      site_id: siteId,
      date_range: rangeOf(ends),
      [direction]: anchor,
      fold: ['/docs/**'],
      ...asked,
    },
  );
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.value.results.map(({ path, reached, ended, other, revenue }) => {
    return [path.map(textOfStep).join(' > '), reached, ended, other, revenue.value].join(' | ');
  });
}

function textOfStep({ type, path, name, kind }: Step): string {
  return `${type} ${path ?? name ?? kind}`;
}

const TIME_BOUNDS = [60, 3_600, 36_000];
const VISIT_BOUNDS = [2, 3];

function expectedPurchases(site: StepWorld, { ends, ...asked }: AskedPurchases): string[] {
  const [startsAt = 0, endsAt = 0] = ends.toSorted((a, b) => a - b);
  const purchases = purchasesOf(site, { ...asked, startsAt, endsAt });
  const toText = (some: readonly ReferencePurchase[]) =>
    `${some.length} ${money(some.reduce((sum, { revenueMinor }) => sum + revenueMinor, 0n))}`;
  return [...Map.groupBy(purchases, ({ source }) => source)]
    .map(([source, own]) => {
      const known = own.filter(({ visits }) => visits > 0);
      const classes = (bounds: readonly number[], toValue: (each: ReferencePurchase) => number) =>
        [0, ...bounds].map((from, index) =>
          toText(
            known.filter(
              (each) => toValue(each) >= from && toValue(each) < (bounds[index] ?? Infinity),
            ),
          ),
        );
      const medianMs = medianOf(known.map(({ ms }) => ms));
      return [
        ...[source, toText(own), toText(own.filter(({ visits }) => visits === 0))],
        ...[
          classes(TIME_BOUNDS, ({ ms }) => ms / 1_000),
          classes(VISIT_BOUNDS, ({ visits }) => visits),
        ],
        medianMs === null ? null : Math.round(medianMs / 1_000),
        medianOf(known.map(({ visits }) => visits)),
      ].join(' | ');
    })
    .toSorted();
}

async function purchasesIn(
  siteId: string,
  { ends, model, lookbackDays }: AskedPurchases,
): Promise<string[]> {
  const { purchasePaths } = createReports({
    ...{ warehouse: world.warehouse, now: () => Math.max(...ends) },
  });
  const answer = await purchasePaths.answer(
    { id: siteId, timezone: 'UTC', currency: 'EUR' },
    {
      ...{ site_id: siteId, date_range: rangeOf(ends), dimensions: ['visit:source'] },
      ...{ time_bounds: TIME_BOUNDS, visit_bounds: VISIT_BOUNDS },
      attribution: { model, lookback_days: lookbackDays },
    },
  );
  assert.ok(answer.ok, JSON.stringify(answer));
  type Some = { readonly customers: number; readonly revenue: { readonly value: string } };
  const toText = ({ customers, revenue }: Some) => `${customers} ${revenue.value}`;
  return answer.value.results
    .map(({ dimensions: [source], time, visits, unknown, ...all }) =>
      [
        ...[source, toText(all), toText(unknown)],
        ...[time.buckets.map(toText), visits.buckets.map(toText), time.median, visits.median],
      ].join(' | '),
    )
    .toSorted();
}

function rangeOf(ends: readonly number[]): [string, string] {
  const [from, to] = ends.toSorted((a, b) => a - b).map((at) => new Date(at).toISOString());
  return [from ?? '', to ?? ''];
}

function msOf(within: Exclude<Within, 'visit'>): number {
  if ('days' in within) return within.days * 86_400_000;
  return 'hours' in within ? within.hours * 3_600_000 : within.seconds * 1_000;
}

function money(minor: bigint): string {
  const digits = `${minor < 0n ? -minor : minor}`.padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
