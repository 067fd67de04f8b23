import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { MetricValue } from '#contract/query.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { DAY_MS, HOUR_MS } from '#domain/time/durations.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { howMany } from '../../worlds/how-many.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';
import { costsBy, ratioOf, toDecimal, type WorldCost } from '../../worlds/reference-costs.ts';
import { type CreditWorld, creditBySource } from '../../worlds/reference-credit.ts';

const WORLDS = howMany(20);
const FIRST_DAY = Temporal.PlainDate.from('2026-10-20');
const EPOCH = FIRST_DAY.toZonedDateTime('UTC').epochMilliseconds;
const DAYS = 20;
const SOURCES = ['Google', 'Facebook', 'Direct', "it's"] as const;
const CHANNELS = ['Paid Search', 'Paid Social', 'Paid Other'] as const;
const VISITORS = ['ann', 'bob', 'cat', 'dan'] as const;

const anyDay = fc.nat(DAYS - 1).map((days) => FIRST_DAY.add({ days }).toString());
/** Mostly of one size, so that one divided by another is not next to nothing; some beyond a float's digits. */
const anyAmount = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0n) },
  { weight: 8, arbitrary: fc.bigInt(1n, 5_000n) },
  { weight: 1, arbitrary: fc.bigInt(10n ** 12n, 10n ** 13n) },
);
const anyCost = fc.record({
  day: anyDay,
  source: fc.constantFrom(...SOURCES),
  medium: fc.constantFrom('cpc', '', 'paid_social'),
  campaign: fc.constantFrom('autumn', '', 'x\\n{p0:String}'),
  channel: fc.constantFrom(...CHANNELS),
  amountMinor: anyAmount,
  // Seldom without a rate, because ratios of a row with one such cost are null.
  currency: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('EUR', 'USD') },
    { weight: 1, arbitrary: fc.constant('KRW' as const) },
  ),
});
const anyHour = fc.nat(DAYS * 24 - 1).map((hours) => EPOCH + hours * HOUR_MS + 1);
const anyWorld = fc.record({
  costs: fc.uniqueArray(anyCost, {
    ...{ minLength: 10, maxLength: 25 },
    selector: ({ day, source, medium, campaign }) => [day, source, medium, campaign].join(),
  }),
  /** Which of them were told otherwise before, and which were removed at last. */
  earlier: fc.array(anyAmount, { minLength: 25, maxLength: 25 }),
  removed: fc.array(fc.constantFrom(false, false, false, true), { minLength: 25, maxLength: 25 }),
  visits: fc.array(
    fc.record({
      visitor: fc.constantFrom(...VISITORS),
      at: anyHour,
      source: fc.constantFrom(...SOURCES),
    }),
    { minLength: 6, maxLength: 12 },
  ),
  payments: fc.array(
    fc.record({
      visitor: fc.constantFrom(...VISITORS, ''),
      at: anyHour,
      amountMinor: anyAmount,
      currency: fc.constantFrom('EUR', 'USD'),
      isRefunded: fc.boolean(),
    }),
    { minLength: 6, maxLength: 8 },
  ),
});
const DIMENSIONS = ['visit:source', 'visit:medium', 'visit:campaign', 'visit:channel'] as const;
const anyQuery = fc.record({
  ends: fc.uniqueArray(fc.nat(DAYS), { minLength: 2, maxLength: 2 }),
  hours: fc.tuple(fc.nat(23), fc.nat(23)),
  model: fc.constantFrom(...ATTRIBUTION_MODELS),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia'),
  dimensions: fc.subarray([...DIMENSIONS]),
  time: fc.constantFrom(undefined, 'time:day', 'time:week', 'time:month'),
  filter: fc.constantFrom(
    undefined,
    ['is', 'visit:medium', ['cpc', '(none)']] as const,
    ['is_not', 'visit:campaign', ['autumn']] as const,
    ['contains', 'visit:source', ['o']] as const,
  ),
});
type World = typeof anyWorld extends fc.Arbitrary<infer W> ? W : never;
type Asked = typeof anyQuery extends fc.Arbitrary<infer Q> ? Q : never;

let world: WorldWarehouse;
before(async () => {
  world = await openWorldWarehouse();
  await world.addRates('Date,USD,\n2026-09-01,1.25,\n');
});
after(() => world.close());

describe(`costs, and the reference of them, agree on ${WORLDS} worlds to the cent:`, () => {
  let siteNumber = 0;
  const law = (agrees: (siteId: string, drawn: World, asked: Asked) => Promise<void>) =>
    fc.assert(
      fc.asyncProperty(anyWorld, anyQuery, async (drawn, asked) => {
        siteNumber += 1;
        const siteId = `site_costs_${siteNumber}`;
        await fill(siteId, drawn);
        await agrees(siteId, drawn, asked);
      }),
      { numRuns: WORLDS, endOnFailure: true },
    );

  it('the cost of every row, whatever the dimensions, filter, period and time zone', () =>
    law(async (siteId, drawn, asked) => {
      const { timeZone, time, filter } = asked;
      const [startsAt = 0, endsAt = 0] = asked.ends
        .map((days, index) => EPOCH + days * DAY_MS + (asked.hours[index] ?? 0) * HOUR_MS)
        .toSorted((a, b) => a - b);
      const dimensions = [...(time ? [time] : []), ...asked.dimensions];
      const costs = countedOf(drawn).filter((cost) => passes(cost, filter));
      const expected = costsBy(costs, { startsAt, endsAt, timeZone, dimensions });
      if (dimensions.length === 0 && expected.size === 0) {
        expected.set('', { minor: 0n, isPartial: false });
      }
      const rows = await ask(siteId, {
        ...{ metrics: ['cost'], dimensions, timezone: timeZone },
        filters: filter ? [filter] : [],
        date_range: [new Date(startsAt).toISOString(), new Date(endsAt).toISOString()],
      });
      const isEmptyBucket = (line: string) => dimensions.length === 1 && / 0\.00$/.test(line);
      assert.deepEqual(
        rows
          .map((row) => `${row.dimensions.join(' | ')} ${textOf(row.metrics[0])}`)
          .filter((line) => !isEmptyBucket(line))
          .toSorted(),
        [...expected]
          .map(([key, { minor }]) => `${key} ${toDecimal(minor, 2)}`)
          .filter((line) => !isEmptyBucket(line))
          .toSorted(),
        JSON.stringify({ siteId, asked }),
      );
    }));

  let ratios = 0;
  it('cost, revenue by any model, their ratio, and the cost of a visitor, by source', () =>
    law(async (siteId, drawn, { ends, model }) => {
      const [startsAt = 0, endsAt = 0] = ends
        .map((n) => EPOCH + n * DAY_MS)
        .toSorted((a, b) => a - b);
      const period = { startsAt, endsAt };
      const dimensions = ['visit:source'];
      const costs = costsBy(countedOf(drawn), { ...period, timeZone: 'UTC', dimensions });
      const credits = creditBySource(toCredit(drawn), { ...period, model, lookbackDays: null });
      const rows = await ask(siteId, {
        ...{ dimensions, attribution: { model } },
        metrics: [
          'cost',
          'revenue',
          'roas',
          'visitors',
          'cost_per_visitor',
          'customers',
          'cost_per_customer',
        ],
        date_range: [startsAt, endsAt].map((at) => new Date(at).toISOString()) as [string, string],
      });
      for (const {
        dimensions: [source = ''],
        metrics,
      } of rows) {
        const { minor, isPartial } = costs.get(source) ?? { minor: 0n, isPartial: false };
        const revenue = credits.get(source)?.revenueMinor ?? 0n;
        const visitors = BigInt(visitorsOf(drawn, source, period));
        const customers = BigInt(metrics[5] as number); // They have tests of their own.
        const per = (over: bigint, under: bigint, decimals: number) =>
          isPartial ? null : ratioOf(over, under, decimals);
        const each = (heads: bigint) => {
          const rounded = per(minor, heads, 0);
          return rounded === null ? null : toDecimal(BigInt(rounded), 2);
        };
        const roas = per(revenue, minor, 2);
        ratios += Number(isAboveZero(roas));
        const found = [metrics[0], metrics[1], metrics[2], metrics[3], metrics[4], metrics[6]];
        assert.deepEqual(
          found.map(textOf),
          [
            ...[
              toDecimal(minor, 2),
              toDecimal(revenue, 2),
              roas === null ? null : `${Number(roas)}`,
            ],
            ...[`${visitors}`, each(visitors), each(customers)],
          ],
          JSON.stringify({ siteId, source, model, ends }),
        );
      }
      const shown = new Set(rows.map((row) => row.dimensions[0]));
      for (const [source] of costs) assert.ok(shown.has(source), `${source} has a row`);
    }).then(() => assert.ok(ratios > 0, 'some ratio is above 0')));

  async function ask(siteId: string, query: object) {
    const now = EPOCH + 100 * DAY_MS;
    const { breakdowns } = createReports({ warehouse: world.warehouse, now: () => now });
    const site = { id: siteId, timezone: 'UTC', currency: 'EUR' };
    const answer = await breakdowns.answer(site, {
      site_id: siteId,
      metrics: [],
      ...query,
    } as never);
    assert.ok(answer.ok, JSON.stringify(answer));
    return answer.value.results;
  }
});

async function fill(siteId: string, drawn: World): Promise<void> {
  const toRow = ({ amountMinor, ...cost }: WorldCost) => {
    return { site_id: siteId, ...cost, amount_minor: `${amountMinor}` };
  };
  const before = drawn.costs.map((cost, index) => {
    return toRow({ ...cost, amountMinor: drawn.earlier[index] ?? 0n, channel: CHANNELS[0] });
  });
  await world.addCosts(before.filter((_, index) => index % 2 === 0 || drawn.removed[index]));
  await world.addCosts(
    drawn.costs.map((cost, index) => ({
      ...toRow(cost),
      ...(drawn.removed[index] && { is_deleted: 1 as const }),
    })),
  );
  await world.addEvents(drawn.visits.map((visit, index) => toPageview(siteId, visit, index)));
  await world.addPayments(
    drawn.payments.flatMap(({ visitor, at, amountMinor, currency, isRefunded }, index) => {
      const own = { site_id: siteId, paid_at: at, amount_minor: amountMinor, currency };
      const row = { ...own, transaction_id: `p${index}`, visitor_id: visitor };
      const refund = { ...row, kind: 'refund' as const, original_transaction_id: `p${index}` };
      return [
        { ...row, kind: 'payment' as const, occurred_at: at },
        ...(isRefunded ? [{ ...refund, occurred_at: at + HOUR_MS }] : []),
      ];
    }),
  );
}

function toPageview(
  siteId: string,
  { visitor, at, source }: World['visits'][number],
  index: number,
): EventRow {
  return {
    ...{ site_id: siteId, occurred_at: at, accepted_at: at, event_id: crypto.randomUUID() },
    ...{ type: 'pageview', visitor_id: visitor, path: '/', visit_started_at: at },
    visit_id: `00000000-0000-7000-8000-${(index + 1).toString(16).padStart(12, '0')}`,
    ...(source !== 'Direct' && { source, medium: 'cpc', channel: 'Paid Search' }),
  };
}

/** The costs that are not removed. */
function countedOf({ costs, removed }: World): WorldCost[] {
  return costs.filter((_, index) => !removed[index]);
}

function passes({ medium, campaign, source }: WorldCost, filter: Asked['filter']): boolean {
  switch (filter?.[0]) {
    case 'is':
      return medium === 'cpc' || medium === '';
    case 'is_not':
      return campaign !== 'autumn';
    case 'contains':
      return source.includes('o');
  }
  return true;
}

function toCredit({ visits, payments }: World): CreditWorld {
  return {
    touches: visits.map(({ visitor, at, source }) => ({
      ...{ visitorId: visitor, visitedAt: at, at, source },
      ...{ isDirect: source === 'Direct', channel: source === 'Direct' ? 'Direct' : 'Paid Search' },
    })),
    payments: payments.map(({ visitor, at, amountMinor, currency, isRefunded }, index) => ({
      ...{ id: `p${index}`, visitorId: visitor, paidAt: at, amountMinor, currency },
      ...{ isRenewal: false, refunds: isRefunded ? [{ at: at + HOUR_MS, amountMinor }] : [] },
    })),
    ...{ goals: [], persons: new Map() },
  };
}

function visitorsOf(
  { visits }: World,
  source: string,
  { startsAt, endsAt }: { readonly startsAt: number; readonly endsAt: number },
): number {
  const own = visits.filter((visit) => visit.source === source);
  const began = own.filter(({ at }) => at >= startsAt && at < endsAt);
  return new Set(began.map(({ visitor }) => visitor)).size;
}

function isAboveZero(ratio: string | null): boolean {
  return ratio !== null && Number(ratio) > 0;
}

function textOf(value: MetricValue | undefined): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? value.value : String(value);
}
