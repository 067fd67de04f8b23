import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createReports, type Reports } from '#report/reports/create-reports.ts';
import {
  anyCohortWorld,
  toCohortEvents,
  toCohortPayments,
  toCohortWorld,
} from '../../worlds/cohort-worlds.ts';
import { howMany } from '../../worlds/how-many.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';
import {
  type CohortQuery,
  type CohortWorld,
  dayOf,
  referenceLtv,
  referenceRetention,
} from '../../worlds/reference-cohorts.ts';

/** How many worlds are tried; thousands before a release. */
const WORLDS = howMany(12);
/** So many are made at once, as each insert is fsynced. */
const SITES_AT_ONCE = 6;

const anyAsked = fc.record({
  cohort: fc.constantFrom('first_visit', 'first_payment'),
  measure: fc.constantFrom('activity', 'revenue'),
  by: fc.constantFrom('person', 'person', 'visitor'),
  unit: fc.constantFrom('week', 'month'),
  groupBy: fc.constantFrom('cohort_week', 'cohort_month', 'visitor:first_source'),
  count: fc.integer({ min: 1, max: 8 }),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata'),
  daysBack: fc.tuple(fc.nat(170), fc.integer({ min: -5, max: 60 })),
  sources: fc.constantFrom(undefined, undefined, ['Google'], ['Unattributed', 'Direct']),
  product: fc.constantFrom(undefined, undefined, 'tea'),
});
type Asked = typeof anyAsked extends fc.Arbitrary<infer A> ? A : never;

let warehouse: WorldWarehouse;
before(async () => {
  warehouse = await openWorldWarehouse();
  await warehouse.addRates('Date,USD,\n2025-10-01,1.25,\n');
});
after(() => warehouse.close());

describe('retention and lifetime value', () => {
  it(`agree with their references on ${WORLDS} worlds, to the cent`, async () => {
    let siteNumber = 0;
    const anySite = fc.tuple(anyCohortWorld, anyAsked);
    const drawn = fc.array(anySite, { minLength: SITES_AT_ONCE, maxLength: SITES_AT_ONCE });
    const tryWorlds = async (pairs: (readonly [Parameters<typeof toCohortWorld>[0], Asked])[]) => {
      const sites = pairs.map(([world, asked]) => {
        siteNumber += 1;
        return { siteId: `site_cohorts_${siteNumber}`, ...toCohortWorld(world), asked };
      });
      await warehouse.addEvents(
        sites.flatMap(({ siteId, world }) => toCohortEvents(siteId, world)),
      );
      // Of every other batch the days are settled.
      if (siteNumber % (2 * SITES_AT_ONCE) === 0) await warehouse.merge();
      await warehouse.addPayments(
        sites.flatMap(({ siteId, world }) => toCohortPayments(siteId, world)),
      );
      await warehouse.addPersons(
        sites.flatMap(({ siteId, world }) =>
          [...world.persons].map(([key, person]) => {
            const [kind = '', id = ''] = key.split(' ');
            return [kind, id, person, siteId] as const;
          }),
        ),
      );
      for (const { siteId, world, now, asked } of sites) {
        const queries = createReports({ warehouse: warehouse.warehouse, now: () => now });
        await assertRetention(queries, siteId, world, now, asked);
        await assertLtv(queries, siteId, world, now, asked);
      }
    };
    const numRuns = Math.ceil(WORLDS / SITES_AT_ONCE);
    await fc.assert(fc.asyncProperty(drawn, tryWorlds), { numRuns, endOnFailure: true });
    assert.ok(siteNumber >= WORLDS);
  });
});

function toQuery(asked: Asked, now: number): CohortQuery {
  const today = dayOf(now, asked.timeZone);
  const ends = asked.daysBack.map((days) => today.subtract({ days }));
  const [from = today, to = today] = ends.toSorted(Temporal.PlainDate.compare);
  return { ...asked, from, to, now };
}

function toBody(siteId: string, query: CohortQuery) {
  const { sources, product } = query;
  return {
    site_id: siteId,
    cohort: query.cohort,
    date_range: [query.from.toString(), query.to.toString()] as [string, string],
    timezone: query.timeZone,
    filters: [
      ...(sources === undefined ? [] : [['is', 'visit:source', [...sources]]]),
      ...(product === undefined ? [] : [['is', 'payment:product', [product]]]),
    ],
  };
}

const siteOf = (id: string) => ({ id, timezone: 'UTC', currency: 'EUR' });

async function assertRetention(
  { retention }: Reports,
  siteId: string,
  world: CohortWorld,
  now: number,
  asked: Asked,
) {
  const takesPayments = asked.cohort === 'first_payment' || asked.measure === 'revenue';
  const query = {
    ...toQuery(asked, now),
    measure: asked.measure,
    unit: asked.unit,
    periods: asked.count,
    by: takesPayments ? ('person' as const) : asked.by,
    product: takesPayments ? asked.product : undefined,
  };
  const { measure, unit, periods, by } = query;
  const body = { ...toBody(siteId, query), measure, unit, periods, by };
  const answer = await retention.answer(siteOf(siteId), body);
  assert.ok(answer.ok, JSON.stringify(answer));
  const lines = answer.value.results.map(({ cohort, size, periods: cells }) =>
    [
      cohort,
      size,
      ...cells.map(({ active, revenue, is_complete, rate }) => {
        assert.equal(rate === null, !is_complete || size === 0);
        const minor = revenue === undefined ? '0' : toMinor(revenue.value);
        return `${active} ${minor}${is_complete ? '' : ' so far'}`;
      }),
    ].join(' | '),
  );
  assert.deepEqual(lines, referenceRetention(world, query), JSON.stringify(body));
}

async function assertLtv(
  { ltv }: Reports,
  siteId: string,
  world: CohortWorld,
  now: number,
  asked: Asked,
) {
  const common = { ...toQuery(asked, now), by: 'person' as const, months: asked.count };
  const body = { ...toBody(siteId, common), group_by: asked.groupBy, months: asked.count };
  const answer = await ltv.answer(siteOf(siteId), body);
  assert.ok(answer.ok, JSON.stringify(answer));
  const { results, overall, meta } = answer.value;
  const toLine = (group: string, { size, months }: typeof overall) =>
    [
      group,
      size,
      ...months.map((cell) =>
        cell === null ? '-' : `${cell.members} ${toMinor(cell.revenue.value)}`,
      ),
    ].join(' | ');
  const expected = referenceLtv(world, { ...common, groupBy: asked.groupBy });
  const lines = results.map(({ group, ...row }) => toLine(group, row));
  assert.deepEqual(lines.toSorted(), expected.toSorted(), JSON.stringify({ body, now }));
  assert.equal(meta.total_rows, expected.length);
  const [all] = referenceLtv(world, { ...common, groupBy: 'all' });
  if (all !== undefined) assert.equal(toLine('', overall), all);
  else assert.equal(overall.size, 0);
}

function toMinor(value: string): string {
  return String(BigInt(value.replace('.', '')));
}
