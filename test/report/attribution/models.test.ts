import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { EventRow } from '#contract/rows/event-row.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { HOUR_MS } from '#domain/time/durations.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { howMany } from '../../worlds/how-many.ts';
import {
  openWorldWarehouse,
  type WorldPayment,
  type WorldWarehouse,
} from '../../worlds/open-warehouse.ts';
import {
  type CreditQuery,
  type CreditWorld,
  creditBySource,
} from '../../worlds/reference-credit.ts';

/** How many worlds are tried; thousands before a release. */
const WORLDS = howMany(40);
/** So many stand on one site, as one query costs as much as ten, and so many sites are made at once. */
const WORLDS_OF_SITE = 10;
const SITES_AT_ONCE = 4;

const EPOCH = Date.parse('2026-10-01T00:00:00Z');
const VISITORS = ['ann', 'bob', 'cat', 'dan'] as const;
const WAYS = [
  { source: '', medium: '', channel: '' },
  { source: '', medium: 'email', channel: 'Email' },
  { source: 'Google', medium: '', channel: 'Organic Search' },
  { source: 'Bing', medium: '', channel: 'Organic Search' },
  { source: 'Newsletter', medium: 'email', channel: 'Email' },
] as const;

/** Few instants, so that visits of several visitors, payments and days meet at the millisecond. */
const anyHour = fc.integer({ min: 0, max: 12 }).map((step) => EPOCH + step * 60 * HOUR_MS);
/** Tags clicked in the middle of a visit, some when another visit begins. */
const anyClicks = fc.uniqueArray(
  fc.record({
    afterMs: fc.constantFrom(1, 300_000, 1_200_000, 60 * HOUR_MS),
    way: fc.constantFrom(...WAYS.slice(1)),
  }),
  { maxLength: 3, selector: ({ afterMs }) => afterMs },
);
const anyVisit = fc.record({
  visitor: fc.constantFrom(...VISITORS),
  at: anyHour,
  way: fc.constantFrom(...WAYS),
  isBot: fc.constantFrom(false, false, false, true),
  clicks: anyClicks,
});
const anyPayment = fc.record({
  visitor: fc.constantFrom(...VISITORS, '', 'stranger'),
  at: fc.tuple(anyHour, fc.constantFrom(0, -1, 1, -600_000, 30 * HOUR_MS)).map(([a, b]) => a + b),
  amountMinor: fc.oneof(fc.constant(0n), fc.bigInt(1n, 20n), fc.bigInt(1n, 10n ** 13n)),
  currency: fc.constantFrom('EUR', 'EUR', 'USD', 'KRW'),
  isRenewal: fc.boolean(),
  refunds: fc.array(
    fc.record({ afterHours: fc.integer({ min: 1, max: 400 }), share: fc.nat(100) }),
    {
      maxLength: 3,
    },
  ),
});
/** Who is whom: each visitor is alone, ann, or somebody who is no visitor. */
const anyPersons = fc.tuple(
  ...VISITORS.slice(1).map((visitor) => fc.constantFrom(visitor, 'ann', 'ann', '~7')),
);
const anyWorld = fc.record({
  visits: fc.array(anyVisit, { maxLength: 10 }),
  payments: fc.array(anyPayment, { maxLength: 5 }),
  goals: fc.array(fc.record({ visitorId: fc.constantFrom(...VISITORS), at: anyHour }), {
    maxLength: 3,
  }),
  persons: fc.tuple(anyPersons, anyPersons),
  payer: fc.constantFrom(undefined, 'ann', '~7'),
});
const anyQuery = fc.record({
  ends: fc.uniqueArray(anyHour, { minLength: 2, maxLength: 2 }),
  models: fc.uniqueArray(fc.constantFrom(...ATTRIBUTION_MODELS), { minLength: 1 }),
  lookbackDays: fc.constantFrom(null, 1, 10),
  isFiltered: fc.constantFrom(false, false, true),
});
type Drawn = typeof anyWorld extends fc.Arbitrary<infer W> ? W : never;
type Asked = typeof anyQuery extends fc.Arbitrary<infer Q> ? Q : never;

let warehouse: WorldWarehouse;
before(async () => {
  warehouse = await openWorldWarehouse();
  await warehouse.addRates('Date,USD,\n2026-09-01,1.25,\n');
});
after(() => warehouse.close());

describe('report and the reference of attribution models', () => {
  it(`agree on ${WORLDS} worlds, before and after late identities, to the cent`, async () => {
    let siteNumber = 0;
    const anySite = fc.record({
      worlds: fc.array(anyWorld, { minLength: WORLDS_OF_SITE, maxLength: WORLDS_OF_SITE }),
      queries: fc.tuple(anyQuery, anyQuery),
    });
    const drawn = fc.array(anySite, { minLength: SITES_AT_ONCE, maxLength: SITES_AT_ONCE });
    const numRuns = Math.ceil(WORLDS / WORLDS_OF_SITE / SITES_AT_ONCE);
    await fc.assert(
      fc.asyncProperty(drawn, async (pairs) => {
        const sites = pairs.map(({ worlds, queries }) => {
          siteNumber += 1;
          return { siteId: `site_models_${siteNumber}`, worlds, queries };
        });
        const events = sites.flatMap(({ siteId, worlds }) => toEvents(siteId, worlds));
        const late = Math.floor(events.length * 0.7);
        await warehouse.addEvents(events.slice(0, late));
        await warehouse.merge();
        await warehouse.addEvents(events.slice(late));
        await warehouse.addPayments(
          sites.flatMap(({ siteId, worlds }) => toPayments(siteId, toWorld(worlds, 0))),
        );
        for (const round of [0, 1] as const) {
          await warehouse.addPersons(
            sites.flatMap(({ siteId, worlds }) =>
              [...toWorld(worlds, round).persons].map(([key, person]) => {
                const [kind = '', id = ''] = key.split(' ');
                return [kind, id, person, siteId] as const;
              }),
            ),
          );
          await Promise.all(
            sites.map(({ siteId, worlds, queries }) =>
              assertAgreed(siteId, toWorld(worlds, round), queries[round]),
            ),
          );
        }
      }),
      { numRuns, endOnFailure: true },
    );
    assert.ok(siteNumber * WORLDS_OF_SITE >= WORLDS);
  });
});

async function assertAgreed(siteId: string, world: CreditWorld, asked: Asked): Promise<void> {
  const [startsAt = 0, endsAt = 0] = asked.ends.toSorted((a, b) => a - b);
  const { breakdowns: report } = createReports({
    warehouse: warehouse.warehouse,
    now: () => endsAt,
  });
  const answer = await report.answer(
    { id: siteId, timezone: 'UTC', currency: 'EUR' },
    {
      site_id: siteId,
      metrics: ['revenue', 'payments', 'conversions'],
      dimensions: ['visit:source'],
      filters: asked.isFiltered ? [['contains', 'visit:source', ['Google', 'Direct']]] : [],
      date_range: [new Date(startsAt).toISOString(), new Date(endsAt).toISOString()],
      attribution: { models: asked.models, lookback_days: asked.lookbackDays },
      order_by: [['visit:source', 'asc']],
    },
  );
  assert.ok(answer.ok, JSON.stringify(answer));
  const names = answer.value.meta.metrics ?? [];
  const { results } = answer.value;
  for (const model of asked.models) {
    const expected = linesOf(world, { startsAt, endsAt, model, lookbackDays: asked.lookbackDays });
    const lines = results.map(({ dimensions: [source], metrics }): string => {
      const value = (name: string) => metrics[names.indexOf(`${name}:${model}`)];
      const { value: revenue } = value('revenue') as { value: string };
      return [source, revenue, value('payments'), value('conversions')].join(' | ');
    });
    const isAsked = (line: string) => !asked.isFiltered || /^(\d Google|Direct) /.test(line);
    // Beside another model a source may stand there that this one gives nothing.
    const isSomething = (line: string) => !line.endsWith(' | 0.00 | 0 | 0');
    assert.deepEqual(
      lines.filter(isSomething),
      expected.filter(isAsked).filter(isSomething),
      JSON.stringify({ siteId, model, asked }),
    );
  }
}

function linesOf(world: CreditWorld, query: CreditQuery): string[] {
  const rows = [...creditBySource(world, query)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return rows.map(([source, { revenueMinor, payments, conversions }]) => {
    const digits = `${revenueMinor < 0n ? -revenueMinor : revenueMinor}`.padStart(3, '0');
    const revenue = `${revenueMinor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
    return [source, revenue, Number(payments) / 1e4, Number(conversions) / 1e4].join(' | ');
  });
}

/** Whose visitors and payments are, of the world of this number on its site. */
function toPersons({ persons, payer }: Drawn, number: number, round: 0 | 1): [string, string][] {
  const visitors = persons[round].map((person, index): [string, string] => [
    `visitor ${number}-${VISITORS[index + 1]}`,
    personId(person, number),
  ]);
  if (payer === undefined || round === 0) return visitors;
  return [...visitors, [`transaction ${number}-p0`, personId(payer, number)]];
}

function personId(name: string, number: number): string {
  return name.startsWith('~') ? `${name}${number}` : `${number}-${name}`;
}

function refundsOf({ at, amountMinor, refunds }: Drawn['payments'][number]) {
  let left = amountMinor;
  return refunds
    .map(({ afterHours, share }, index) => {
      // The last of several pays back all that is left.
      const isLast = index === refunds.length - 1 && index > 0;
      const amount = isLast ? left : (left * BigInt(share)) / 100n;
      left -= amount;
      return { at: at + (afterHours + 400 * index) * HOUR_MS, amountMinor: amount };
    })
    .filter((refund) => refund.amountMinor > 0n);
}

/** The worlds of a site, each with names of its own; all share Direct and the channels. */
function toWorld(drawn: readonly Drawn[], round: 0 | 1): CreditWorld {
  return {
    touches: drawn.flatMap(({ visits }, number) =>
      visits
        .filter(({ isBot }) => !isBot)
        .flatMap(({ visitor, at, way, clicks }) =>
          toTouches(way, clicks).map((touch) => ({
            ...{ visitorId: `${number}-${visitor}`, visitedAt: at, at: at + touch.afterMs },
            source: touch.way.source === '' ? 'Direct' : `${number} ${touch.way.source}`,
            channel: touch.way.channel || 'Direct',
            isDirect: touch.way.source === '' && touch.way.medium === '',
          })),
        ),
    ),
    payments: drawn.flatMap(({ payments }, number) =>
      payments.map((payment, index) => ({
        ...payment,
        id: `${number}-p${index}`,
        visitorId: payment.visitor === '' ? '' : `${number}-${payment.visitor}`,
        paidAt: payment.at,
        refunds: refundsOf(payment),
      })),
    ),
    goals: drawn.flatMap(({ goals }, number) =>
      goals.map(({ visitorId, at }) => ({ visitorId: `${number}-${visitorId}`, at })),
    ),
    persons: new Map(drawn.flatMap((world, number) => toPersons(world, number, round))),
  };
}

type Click = Drawn['visits'][number]['clicks'][number];

/** A visit that nothing brought takes its source from the first click; each other way than the last is a touch. */
function toTouches(way: Click['way'], clicks: readonly Click[]): Click[] {
  const ways = [{ afterMs: 0, way }, ...clicks.toSorted((a, b) => a.afterMs - b.afterMs)];
  if (way === WAYS[0] && ways[1]) ways.splice(0, 2, { afterMs: 0, way: ways[1].way });
  return ways.filter((each, index) => index === 0 || each.way !== ways[index - 1]?.way);
}

/** Ids that ascend: of visits that begin at the same instant the first counts. */
let visitNumber = 0;

function toEvents(siteId: string, drawn: readonly Drawn[]): EventRow[] {
  const event = (type: EventRow['type'], visitorId: string, at: number): EventRow => ({
    site_id: siteId,
    occurred_at: at,
    accepted_at: at,
    event_id: crypto.randomUUID(),
    type,
    visitor_id: visitorId,
  });
  const pages = drawn.flatMap(({ visits }, number) =>
    visits.flatMap(({ visitor, at, way, isBot, clicks }) => {
      visitNumber += 1;
      const visitId = `00000000-0000-7000-8000-${visitNumber.toString(16).padStart(12, '0')}`;
      return [{ afterMs: 0, way }, ...clicks].map((each) => ({
        ...event('pageview', `${number}-${visitor}`, at + each.afterMs),
        ...each.way,
        source: each.way.source === '' ? '' : `${number} ${each.way.source}`,
        visit_id: visitId,
        visit_started_at: at,
        bot_class: isBot ? 'declared' : '',
      }));
    }),
  );
  const goals = toWorld(drawn, 0).goals.map(({ visitorId, at }) => event('goal', visitorId, at));
  return [...pages, ...goals];
}

function toPayments(siteId: string, world: CreditWorld): WorldPayment[] {
  return world.payments.flatMap((payment): WorldPayment[] => {
    const row: WorldPayment = {
      site_id: siteId,
      kind: 'payment',
      transaction_id: payment.id,
      occurred_at: payment.paidAt,
      paid_at: payment.paidAt,
      amount_minor: payment.amountMinor,
      currency: payment.currency,
      visitor_id: payment.visitorId,
      renewal: payment.isRenewal ? 1 : 0,
    };
    const refunds = payment.refunds.map(
      ({ at, amountMinor }, index): WorldPayment => ({
        ...row,
        kind: 'refund',
        transaction_id: `${payment.id}-refund-${index}`,
        original_transaction_id: payment.id,
        occurred_at: at,
        amount_minor: amountMinor,
      }),
    );
    return [row, ...refunds];
  });
}
