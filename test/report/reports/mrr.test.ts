import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createReports } from '#report/create-reports.ts';
import { toCohortPayments } from '../../worlds/cohort-worlds.ts';
import { howMany } from '../../worlds/how-many.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';
import { dayOf } from '../../worlds/reference-cohorts.ts';
import { type RecurringPayment, referenceMrr } from '../../worlds/reference-mrr.ts';

/** How many worlds are tried; thousands before a release. */
const WORLDS = howMany(12);
/** So many are made at once, as each insert is fsynced. */
const SITES_AT_ONCE = 12;
const DAY_MS = 86_400_000;
/** A year and a half from here, with a February. */
const EPOCH = Date.parse('2024-08-29T09:00:00Z');

const PLANS = [
  { product: 'basic', amountMinor: 1_000n, everyDays: 30 },
  { product: 'basic', amountMinor: 1_200n, everyDays: 31 },
  { product: 'basic', amountMinor: 9_999n, everyDays: 365 },
  { product: '', amountMinor: 250n, everyDays: 7 },
  { product: '', amountMinor: 3_001n, everyDays: 91 },
] as const;

/** A subscription: charges of a plan that come late or stop, with a change of plan in the middle. */
const anySubscription = fc.record({
  startDay: fc.integer({ min: 0, max: 400 }),
  plans: fc.tuple(fc.constantFrom(...PLANS), fc.constantFrom(...PLANS)),
  charges: fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 5 })),
  delays: fc.array(fc.constantFrom(0, 0, 0, 0, 1, -1, 5, 20, 70), { minLength: 14, maxLength: 14 }),
  refunded: fc.array(fc.constantFrom(0, 0, 0, 0, 0, 50, 100), { minLength: 14, maxLength: 14 }),
  hasId: fc.boolean(),
  isFirstRenewal: fc.constantFrom(false, false, true),
  visitorId: fc.constantFrom('ann', 'bob', '', 'stranger'),
  customerId: fc.constantFrom('', 'c1', 'c2'),
  currency: fc.constantFrom('EUR', 'EUR', 'USD', 'KRW'),
});
/** Payments for once, which may be taken for the beginning of a subscription. */
const anyOther = fc.record({
  day: fc.integer({ min: 0, max: 500 }),
  visitorId: fc.constantFrom('ann', 'bob', ''),
  customerId: fc.constantFrom('', 'c1'),
  product: fc.constantFrom('basic', '', 'pot'),
});
const anyWorld = fc.record({
  nowDay: fc.integer({ min: 60, max: 550 }),
  subscriptions: fc.array(anySubscription, { minLength: 1, maxLength: 4 }),
  others: fc.array(anyOther, { maxLength: 3 }),
  bobIs: fc.constantFrom('bob', 'ann'),
  months: fc.tuple(fc.nat(18), fc.integer({ min: -1, max: 12 })),
  timeZone: fc.constantFrom('UTC', 'America/New_York'),
});
type Drawn = typeof anyWorld extends fc.Arbitrary<infer W> ? W : never;

let warehouse: WorldWarehouse;
before(async () => {
  warehouse = await openWorldWarehouse();
  await warehouse.addRates('Date,USD,\n2024-08-01,1.25,\n');
});
after(() => warehouse.close());

describe('recurring revenue', () => {
  it(`agrees with its reference on ${WORLDS} worlds, and its movements sum exactly`, async () => {
    let siteNumber = 0;
    const drawn = fc.array(anyWorld, { minLength: SITES_AT_ONCE, maxLength: SITES_AT_ONCE });
    const tryWorlds = async (worlds: Drawn[]) => {
      const sites = worlds.map((world) => {
        siteNumber += 1;
        return { ...world, siteId: `site_mrr_${siteNumber}`, payments: toPayments(world) };
      });
      await warehouse.addPayments(sites.flatMap(toRows));
      await warehouse.addPersons(
        sites.map(({ siteId, bobIs }) => ['visitor', 'bob', bobIs, siteId] as const),
      );
      for (const site of sites) await assertAgreed(site);
    };
    const numRuns = Math.ceil(WORLDS / SITES_AT_ONCE);
    await fc.assert(fc.asyncProperty(drawn, tryWorlds), { numRuns, endOnFailure: true });
    assert.ok(siteNumber >= WORLDS);
  });
});

type Site = Drawn & { readonly siteId: string; readonly payments: readonly RecurringPayment[] };

async function assertAgreed({ siteId, payments, nowDay, bobIs, months, timeZone }: Site) {
  const now = EPOCH + nowDay * DAY_MS;
  const today = dayOf(now, timeZone);
  const [from = today, to = today] = months
    .map((count) => today.subtract({ months: count }))
    .toSorted(Temporal.PlainDate.compare);
  const { mrr } = createReports({ warehouse: warehouse.warehouse, now: () => now });
  const body = {
    site_id: siteId,
    date_range: [from.toString(), to.toString()] as [string, string],
    timezone: timeZone,
  };
  const answer = await mrr.answer({ id: siteId, timezone: 'UTC', currency: 'EUR' }, body);
  assert.ok(answer.ok, JSON.stringify(answer));
  let end: string | undefined;
  const lines = answer.value.results.map((row) => {
    const minor = (name: 'start' | 'end' | 'new' | Movement) =>
      BigInt(row[name].value.replace('.', ''));
    const rises = minor('new') + minor('expansion') + minor('reactivated');
    const falls = minor('contraction') + minor('churned');
    assert.equal(minor('start') + rises - falls, minor('end'));
    if (end !== undefined) assert.equal(row.start.value, end);
    end = row.end.value;
    const { start, new: fresh, expanded, reactivated, contracted, churned } = row.customers;
    return [
      row.month,
      `${minor('start')}/${start}`,
      `${minor('new')}/${fresh}`,
      `${minor('expansion')}/${expanded}`,
      `${minor('reactivated')}/${reactivated}`,
      `${minor('contraction')}/${contracted}`,
      `${minor('churned')}/${churned}`,
      `${minor('end')}/${row.customers.end}`,
    ].join(' | ');
  });
  const persons = new Map([['visitor bob', bobIs]]);
  const expected = referenceMrr({ payments, persons }, { from, to, now, timeZone });
  assert.deepEqual(lines, expected, JSON.stringify({ body, now }));
}
type Movement = 'expansion' | 'reactivated' | 'contraction' | 'churned';

function toPayments({ subscriptions, others, nowDay }: Drawn): RecurringPayment[] {
  const charged = subscriptions.flatMap(toCharges);
  const once = others.map(({ day, ...other }, index): RecurringPayment => {
    const at = EPOCH + day * DAY_MS + 3_600_000;
    const rest = { amountMinor: 1_000n, currency: 'EUR', subscriptionId: '' } as const;
    return { ...other, ...rest, id: `o${index}`, at, isRenewal: false, refunds: [] };
  });
  const now = EPOCH + nowDay * DAY_MS;
  return [...charged, ...once]
    .filter(({ at }) => at <= now)
    .map((payment) => ({ ...payment, refunds: payment.refunds.filter(({ at }) => at <= now) }));
}

function toCharges(drawn: Drawn['subscriptions'][number], number: number): RecurringPayment[] {
  const { plans, charges, delays, refunded, currency, visitorId, customerId, hasId } = drawn;
  const charged = plans.flatMap((plan, index) => Array<Plan>(charges[index] ?? 0).fill(plan));
  let day = drawn.startDay;
  return charged.map(({ product, amountMinor, everyDays }, index) => {
    const at = EPOCH + day * DAY_MS;
    const back = (amountMinor * BigInt(refunded[index] ?? 0)) / 100n;
    day += everyDays + (delays[index] ?? 0);
    return {
      ...{ id: `s${number}-${index}`, at, amountMinor, currency, product },
      visitorId: index === 0 ? visitorId : '',
      customerId: visitorId === '' || hasId ? customerId : `of ${visitorId}`,
      subscriptionId: hasId ? `sub${number}` : '',
      isRenewal: index > 0 || drawn.isFirstRenewal,
      refunds: back === 0n ? [] : [{ at: at + 3 * DAY_MS, amountMinor: back }],
    };
  });
}
type Plan = (typeof PLANS)[number];

function toRows({ siteId, payments }: Site) {
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  return toCohortPayments(siteId, { visits: [], payments, persons: new Map() }).map((row) => {
    const payment = byId.get(row.original_transaction_id ?? row.transaction_id);
    const renewal: 0 | 1 = payment?.isRenewal ? 1 : 0;
    return { ...row, renewal, subscription_id: payment?.subscriptionId ?? '' };
  });
}
