import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { SentQuery } from '#contract/query.ts';
import { COST_METRICS } from '#contract/reports/catalog.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import type { Result } from '#domain/result.ts';
import { DIMENSION_NAMES, METRICS } from '#report/catalog.ts';
import type { Refusal } from '#report/ports.ts';
import { createReports, type Reports } from '#report/reports/create-reports.ts';
import { BAKERY, BAKERY_EVENTS, BAKERY_NOW, BAKERY_PAYMENTS } from '../../worlds/bakery.ts';
import { howMany } from '../../worlds/how-many.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';

/** How many queries are asked; thousands before a release. */
const QUERIES = howMany(10);

type Of = 'visit' | 'visitor' | 'event' | 'payment' | 'time';
/** Dimensions of these kinds, of each kind as often. */
const dimensionOf = (...kinds: readonly Of[]) =>
  fc
    .constantFrom(...kinds)
    .chain((of) => fc.constantFrom(...DIMENSION_NAMES.filter((name) => name.split(':')[0] === of)))
    .map((name) => name.replace('NAME', 'plan'));
const leafOf = (...kinds: readonly Of[]) =>
  fc.tuple(
    fc.constantFrom('is', 'is_not', 'contains', 'matches', 'matches_wildcard_not'),
    dimensionOf(...kinds).filter((name) => name !== 'event:property'),
    fc.constant(['Google', 'a.*']),
  );
/** Filters of dimensions of these kinds, plain and nested; by what was done where there may be events. */
function filtersOf(...kinds: readonly Of[]): fc.Arbitrary<unknown[][]> {
  const leaf: fc.Arbitrary<unknown[]> = leafOf(...kinds);
  const did = fc.tuple(fc.constantFrom('has_done', 'has_not_done'), leafOf('event'));
  const any = kinds.includes('event')
    ? fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: did })
    : leaf;
  const nested = fc.oneof(
    { weight: 3, arbitrary: any },
    fc.tuple(fc.constantFrom('and', 'or'), fc.tuple(any, any)),
    any.map((each) => ['not', each]),
  );
  return fc.array(nested, { maxLength: 2 });
}
const ranges = fc.constantFrom<SentQuery['date_range']>('day', '28d', 'all', [
  '2026-11-02T10:00:00Z',
  '2026-11-04T10:00:00Z',
]);
const timezone = fc.constantFrom('Europe/Berlin', 'Asia/Kathmandu');
const about = (...kinds: readonly Of[]) =>
  fc.record({
    site_id: fc.constant(BAKERY.id),
    date_range: ranges,
    timezone,
    filters: filtersOf(...kinds),
  });
const some = <T>(all: fc.Arbitrary<T>, maxLength = 2) => fc.uniqueArray(all, { maxLength });
const step = fc.constantFrom(
  { type: 'page' as const, path: '/' },
  { type: 'page' as const, path: '/**' },
  { type: 'goal' as const, name: 'sign*' },
  { type: 'payment' as const },
);
const within = fc.constantFrom('visit' as const, { days: 3 });
const by = fc.constantFrom('person' as const, 'visitor' as const);
const cohort = fc.constantFrom('first_visit' as const, 'first_payment' as const);
const model = fc.constantFrom(...ATTRIBUTION_MODELS);
const oneVisit = fc.constantFrom('first_touch' as const, 'last_non_direct' as const);
const ALL = ['visit', 'visitor', 'event', 'payment', 'time'] as const;

/** Each kind of model: one visit's, shares by a rule, shares by the data; all eight with many worlds. */
const EVERY_MODEL =
  QUERIES > 100 ? ATTRIBUTION_MODELS : (['first_touch', 'linear', 'data_driven'] as const);

const EVERY = [...METRICS.keys()];

type Ask = (queries: Reports) => Promise<Result<unknown, Refusal>>;
/** A query, and how it is asked. */
type Asking = readonly [asked: unknown, ask: Ask];

const query: fc.Arbitrary<Asking> = fc.oneof(
  fc
    .record({
      ...{ about: about('visit', 'visitor', 'event', 'payment'), model },
      metrics: fc.oneof(
        {
          weight: 7,
          arbitrary: fc.uniqueArray(fc.constantFrom(...EVERY), { minLength: 1, maxLength: 3 }),
        },
        { weight: 1, arbitrary: fc.constant(EVERY) },
      ),
      dimensions: some(dimensionOf(...ALL)),
      include: fc.constantFrom(
        {},
        { total_rows: true },
        { compare: 'previous_period' as const },
        { compare: 'year_over_year' as const, total_rows: true, totals: true },
      ),
    })
    .map(({ about, model, ...more }): Asking => {
      const asked = { ...about, ...more, attribution: { model } };
      return [asked, ({ breakdowns: report }) => report.answer(BAKERY, asked)];
    }),
  fc
    .record({
      about: about('visit', 'visitor', 'event'),
      steps: fc.tuple(step, step, step),
      within,
      by,
      dimensions: some(dimensionOf('visit', 'visitor')),
    })
    .map(({ about, ...more }): Asking => {
      const asked = { ...about, ...more };
      return [asked, ({ funnel }) => funnel.answer(BAKERY, asked)];
    }),
  fc
    .record({
      about: about('visit', 'visitor', 'event'),
      way: fc.constantFrom('from', 'to'),
      step,
      within,
      by,
    })
    .map(({ about, way, step, ...more }): Asking => {
      const asked = { ...about, [way]: step, ...more };
      return [asked, ({ journeys }) => journeys.answer(BAKERY, asked)];
    }),
  fc
    .record({
      ...{ about: about('visit', 'visitor', 'payment'), model: oneVisit },
      dimensions: some(dimensionOf('visit', 'visitor', 'payment')),
    })
    .map(({ about, model, dimensions }): Asking => {
      const asked = { ...about, dimensions, attribution: { model } };
      return [asked, ({ purchasePaths }) => purchasePaths.answer(BAKERY, asked)];
    }),
  fc
    .record({
      about: about('visit', 'visitor'),
      cohort,
      measure: fc.constantFrom('activity' as const, 'revenue' as const),
      by,
    })
    .map(({ about, ...more }): Asking => {
      const asked = { ...about, date_range: '28d', unit: 'week' as const, ...more };
      return [asked, ({ retention }) => retention.answer(BAKERY, asked)];
    }),
  fc
    .record({ about: about('visit', 'visitor'), cohort, group_by: dimensionOf('visit', 'visitor') })
    .map(({ about, ...more }): Asking => {
      const asked = { ...about, ...more };
      return [asked, ({ ltv }) => ltv.answer(BAKERY, asked)];
    }),
  about('visit', 'visitor', 'payment').map(
    (asked): Asking => [asked, ({ mrr }) => mrr.answer(BAKERY, asked)],
  ),
);

describe('any query', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    await world.addEvents(BAKERY_EVENTS);
    await world.addPayments(BAKERY_PAYMENTS);
    const tags = { source: 'Google', medium: 'cpc', campaign: '', channel: 'Paid Search' };
    const spent = { day: '2026-11-02', amount_minor: '1000', currency: 'EUR' };
    await world.addCosts([{ site_id: BAKERY.id, ...tags, ...spent }]);
    await world.addPersons([['visitor', 'dora', 'ben', BAKERY.id]]);
  });
  after(() => world?.close());

  it('is answered, or refused with what is wrong, whatever it combines', async () => {
    const queries = createReports({ warehouse: world.warehouse, now: () => BAKERY_NOW });
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(query, async ([asked, ask]) => {
        const answer = await ask(queries).catch((error: Error) => {
          assert.fail(`${JSON.stringify(asked)}: ${error.message.slice(0, 500)}`);
        });
        if (answer.ok) answered += 1;
        else assert.ok(answer.error.details.length > 0);
      }),
      { numRuns: QUERIES, endOnFailure: true },
    );
    assert.ok(answered > QUERIES / 4, `${answered}`);
  });

  it('is answered with every metric there is by each model, compared', async () => {
    const { breakdowns: report } = createReports({
      warehouse: world.warehouse,
      now: () => BAKERY_NOW,
    });
    for (const model of EVERY_MODEL) {
      for (const [metrics, dimension] of [
        [EVERY, 'visit:campaign'],
        [EVERY.filter((name) => !COST_METRICS.some((each) => each === name)), 'event:page'],
      ] as const) {
        const answer = await report.answer(BAKERY, {
          ...{ site_id: BAKERY.id, date_range: '28d', metrics: [...metrics] },
          ...{ attribution: { model }, dimensions: ['visit:source'] },
          ...{ filters: [['is_not', dimension, ['/nowhere']]] },
          include: { compare: 'previous_period' },
        });
        assert.ok(answer.ok, `${model}: ${JSON.stringify(answer)}`);
        assert.ok(answer.value.results.length > 0);
      }
    }
  });
});
