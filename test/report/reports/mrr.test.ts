import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { DAY_MS } from '#domain/time/durations.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { toCohortPayments } from '../../worlds/cohort-worlds.ts';
import { howMany } from '../../worlds/how-many.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';
import { dayOf } from '../../worlds/reference-cohorts.ts';
import { type RecurringPayment, referenceMrr } from '../../worlds/reference-mrr.ts';

/** How many worlds are tried; thousands before a release. */
const WORLDS = howMany(12);
/** So many are made at once, as each insert is fsynced. */
const SITES_AT_ONCE = 12;
/** A year and a half from here, with a February. */
const EPOCH = Date.parse('2024-08-29T09:00:00Z');

const PLANS = [
  { product: 'basic', amountMinor: 1_000n, everyDays: 30 },
  { product: 'basic', amountMinor: 1_200n, everyDays: 31 },
  { product: 'basic', amountMinor: 9_999n, everyDays: 365 },
  { product: '', amountMinor: 250n, everyDays: 7 },
  { product: '', amountMinor: 3_001n, everyDays: 91 },
] as const;

/** A part of a price, some days into a period. */
const anyTopUp = fc.record({
  of: fc.constantFrom(0, 1, 2, 3, 4, 6, 9),
  afterDays: fc.constantFrom(0, 1, 7, 12, 20, 26, 30, 40),
  amountMinor: fc.constantFrom(137n, 250n, 600n, 1_100n),
});
/**
 * A subscription: charges of a plan that come late, early, at once or stop, with a change of plan in the middle, and
 * charges in between.
 */
const anySubscription = fc.record({
  startDay: fc.constantFrom(0, 1, 20, 45, 100, 200, 310, 400),
  plans: fc.tuple(fc.constantFrom(...PLANS), fc.constantFrom(...PLANS)),
  charges: fc.tuple(fc.constantFrom(0, 1, 2, 3, 5, 7), fc.constantFrom(0, 1, 2, 3, 5)),
  delays: fc.array(fc.constantFrom(0, 0, 0, 0, 1, -1, 5, 20, 70, -14, -31), {
    minLength: 14,
    maxLength: 14,
  }),
  topUps: fc.array(anyTopUp, { minLength: 1, maxLength: 3 }),
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
  nowDay: fc.constantFrom(60, 131, 266, 307, 420, 549, 550),
  subscriptions: fc.array(anySubscription, { minLength: 1, maxLength: 4 }),
  others: fc.array(anyOther, { maxLength: 3 }),
  bobIs: fc.constantFrom('bob', 'ann'),
  months: fc.tuple(fc.nat(18), fc.integer({ min: -1, max: 12 })),
  timeZone: fc.constantFrom('UTC', 'America/New_York'),
});
type Drawn = typeof anyWorld extends fc.Arbitrary<infer W> ? W : never;

/**
 * What one subscription pays, as `day amount product refunded-on`, and the MRR at the ends of months. The clock stands
 * at 20 March 2026. What `other` pays shows how often its price is charged.
 */
const CASES: readonly {
  readonly rule: string;
  readonly paid: readonly string[];
  readonly other?: readonly string[];
  readonly ends: Readonly<Record<string, string>>;
}[] = [
  {
    rule: 'an upgrade in mid-month replaces the plan from its day',
    paid: ['2025-12-01 10', '2026-01-01 10', '2026-01-15 20', '2026-02-15 20'],
    ends: { '2025-12': '10.00', '2026-01': '20.00', '2026-02': '20.00' },
  },
  {
    rule: 'another product replaces the one before',
    paid: ['2025-12-01 10 basic', '2026-01-01 10 basic', '2026-01-15 20 pro', '2026-02-15 20 pro'],
    ends: { '2025-12': '10.00', '2026-01': '20.00', '2026-02': '20.00' },
  },
  {
    rule: 'an upgrade in the first month counts before anything was repeated',
    paid: ['2026-02-20 10', '2026-03-05 20'],
    ends: { '2026-02': '10.00', '2026-03': '20.00' },
  },
  {
    rule: 'a downgrade in mid-month counts once it was repeated',
    paid: ['2026-01-01 20', '2026-01-15 10', '2026-02-15 10'],
    ends: { '2026-01': '10.00', '2026-02': '10.00' },
  },
  {
    rule: 'a change from monthly to yearly counts a twelfth',
    paid: ['2024-11-01 10', '2024-12-01 10', '2024-12-15 96', '2025-12-15 96'],
    ends: { '2024-11': '10.00', '2024-12': '8.00', '2025-01': '8.00' },
  },
  {
    rule: 'a change from yearly to monthly ends the year',
    paid: ['2025-05-01 120', '2026-01-10 15', '2026-02-10 15'],
    other: ['2024-03-01 120', '2025-03-01 120'],
    ends: { '2025-12': '20.00', '2026-01': '25.00', '2026-02': '25.00' },
  },
  {
    rule: 'a proration before the new price is left out',
    paid: ['2025-12-01 10', '2026-01-01 10', '2026-01-19 4.19', '2026-02-01 20', '2026-03-01 20'],
    ends: { '2025-12': '10.00', '2026-01': '10.00', '2026-02': '20.00', '2026-03': '20.00' },
  },
  {
    rule: 'seats added in the first month, in any order of size, are left out',
    paid: ['2026-01-01 100', '2026-01-08 7.5', '2026-01-12 2.5', '2026-01-22 3', '2026-02-01 120'],
    ends: { '2026-01': '100.00', '2026-02': '120.00' },
  },
  {
    rule: 'a seat added to a yearly plan does not change its interval',
    paid: ['2024-01-01 120', '2025-01-01 120', '2025-09-01 8', '2026-01-01 144'],
    ends: { '2025-08': '10.00', '2025-09': '10.00', '2025-12': '10.00', '2026-01': '12.00' },
  },
  {
    rule: 'of two charges of a day the last counts',
    paid: ['2026-01-01 10', '2026-01-01 20', '2026-02-01 20'],
    ends: { '2026-01': '20.00', '2026-02': '20.00' },
  },
  {
    rule: 'a smaller plan after a full refund is no proration',
    paid: ['2026-03-01 20 club 2026-03-02', '2026-03-03 10'],
    ends: { '2026-03': '10.00' },
  },
];

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

  for (const [number, { rule, paid, other = [], ends }] of CASES.entries()) {
    it(`counts one plan: ${rule}`, async () => {
      for (const hasId of [true, false]) {
        const siteId = `site_case_${number}_${hasId}`;
        const payments = [...toPaid('own', paid, hasId), ...toPaid('other', other, hasId)];
        await warehouse.addPayments(toRows({ siteId, payments }));
        const months = Object.keys(ends).toSorted();
        const range = [`${months[0]}-01`, `${months.at(-1)}-01`] as const;
        const now = Date.parse('2026-03-20T12:00:00Z');
        const results = await askMrr(siteId, range, { timeZone: 'UTC', now });
        const found = new Map(results.map(({ month, end }) => [month.slice(0, 7), end.value]));
        assert.deepEqual(Object.fromEntries(months.map((each) => [each, found.get(each)])), ends);
      }
    });
  }
});

function toPaid(who: string, paid: readonly string[], hasId: boolean): RecurringPayment[] {
  return paid.map((line, index) => {
    const [day, amount, product = 'club', backOn] = line.split(' ');
    const amountMinor = BigInt(Math.round(Number(amount) * 100));
    return {
      ...{
        id: `${who}-${index}`,
        at: Date.parse(`${day}T09:00:00Z`),
        amountMinor,
        currency: 'EUR',
      },
      ...{ visitorId: '', customerId: who, product },
      ...{ subscriptionId: hasId ? who : '', isRenewal: index > 0 || !hasId },
      refunds: backOn ? [{ at: Date.parse(`${backOn}T09:00:00Z`), amountMinor }] : [],
    };
  });
}

async function askMrr(
  siteId: string,
  [from, to]: readonly [string, string],
  { timeZone, now }: { readonly timeZone: string; readonly now: number },
) {
  const { mrr } = createReports({ warehouse: warehouse.warehouse, now: () => now });
  const site = { id: siteId, timezone: 'UTC', currency: 'EUR' };
  const body = { site_id: siteId, date_range: [from, to] as [string, string], timezone: timeZone };
  const answer = await mrr.answer(site, body);
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.value.results;
}

type Paid = { readonly siteId: string; readonly payments: readonly RecurringPayment[] };
type Site = Drawn & Paid;

async function assertAgreed({ siteId, payments, nowDay, bobIs, months, timeZone }: Site) {
  const now = EPOCH + nowDay * DAY_MS;
  const today = dayOf(now, timeZone);
  const [from = today, to = today] = months
    .map((count) => today.subtract({ months: count }))
    .toSorted(Temporal.PlainDate.compare);
  const range = [from.toString(), to.toString()] as const;
  const results = await askMrr(siteId, range, { timeZone, now });
  let end: string | undefined;
  const lines = results.map((row) => {
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
  assert.deepEqual(lines, expected, JSON.stringify({ siteId, range, now }));
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
  const { plans, charges, delays, topUps, refunded, currency, visitorId, customerId, hasId } =
    drawn;
  const charged = plans.flatMap((plan, index) => Array<Plan>(charges[index] ?? 0).fill(plan));
  let day = drawn.startDay;
  const regular = charged.map(({ product, amountMinor, everyDays }, index): RecurringPayment => {
    const at = EPOCH + day * DAY_MS;
    const back = (amountMinor * BigInt(refunded[index] ?? 0)) / 100n;
    day += Math.max(0, everyDays + (delays[index] ?? 0));
    return {
      ...{ id: `s${number}-${index}`, at, amountMinor, currency, product },
      visitorId: index === 0 ? visitorId : '',
      customerId: visitorId === '' || hasId ? customerId : `of ${visitorId}`,
      subscriptionId: hasId ? `sub${number}` : '',
      isRenewal: index > 0 || drawn.isFirstRenewal,
      refunds: back === 0n ? [] : [{ at: at + 3 * DAY_MS, amountMinor: back }],
    };
  });
  const between = topUps.flatMap(({ of, afterDays, amountMinor }, index): RecurringPayment[] => {
    const charge = regular[of];
    if (charge === undefined) return [];
    const at = charge.at + afterDays * DAY_MS + 1_000;
    const one = { id: `t${number}-${index}`, at, amountMinor, isRenewal: true, refunds: [] };
    return [{ ...charge, ...one, visitorId: '' }];
  });
  return [...regular, ...between];
}
type Plan = (typeof PLANS)[number];

function toRows({ siteId, payments }: Paid) {
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  return toCohortPayments(siteId, { visits: [], payments, persons: new Map() }).map((row) => {
    const payment = byId.get(row.original_transaction_id ?? row.transaction_id);
    const renewal: 0 | 1 = payment?.isRenewal ? 1 : 0;
    return { ...row, renewal, subscription_id: payment?.subscriptionId ?? '' };
  });
}
