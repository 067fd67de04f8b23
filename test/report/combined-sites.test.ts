import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createChecker } from '#contract/checker.ts';
import type { MetricValue } from '#contract/query.ts';
import { CombinedAnswer, type CombinedQuery } from '#contract/reports/combined.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { toRateSpans } from '#domain/money/rates/exchange-rates.ts';
import { toRates } from '#enrich/rates/read-rates.ts';
import { createReports, type Reports } from '#report/reports/create-reports.ts';
import {
  openWorldWarehouse,
  type WorldPayment,
  type WorldWarehouse,
} from '../worlds/open-warehouse.ts';

/**
 * A café in Berlin that is paid in euros, and a shop in New York in dollars. Both have a visitor `ann`.
 *
 * ```
 * each site's own time   site   what happens
 * Oct 31 12:00           shop   old, from Google; pays $8
 * Nov  2 09:00           cafe   ann, from Google; pays €10
 * Nov  2 23:00           shop   ann, from Google; pays $20     (already November 3 in Berlin)
 * Nov  3 12:00           shop   ann gets $5 back
 *        18:00           cafe   bob, directly
 * ```
 */
const CAFE = {
  id: 'site_cafe',
  domain: 'cafe.example',
  timezone: 'Europe/Berlin',
  currency: 'EUR',
};
const SHOP = {
  id: 'site_shop',
  domain: 'shop.example',
  timezone: 'America/New_York',
  currency: 'USD',
};
type Place = typeof CAFE;

const RATES = `Date,USD
2026-10-30,1.6
2026-11-02,2
2026-11-03,2.5
`;
const DAYS: [string, string] = ['2026-11-02', '2026-11-03'];

function at({ timezone }: Place, text: string): number {
  return Temporal.PlainDateTime.from(text).toZonedDateTime(timezone).epochMilliseconds;
}

function visit(site: Place, visitor: string, when: string, source: string): EventRow {
  const hex = Buffer.from(visitor).toString('hex').padStart(12, '0');
  return {
    ...{ site_id: site.id, type: 'pageview', visitor_id: visitor, path: '/' },
    ...{ occurred_at: at(site, when), accepted_at: at(site, when), event_id: crypto.randomUUID() },
    ...{ visit_id: `00000000-0000-7000-8000-${hex}`, visit_started_at: at(site, when) },
    ...(source && { source, referrer: 'https://www.google.com/' }),
  };
}

function payment(site: Place, visitor: string, when: string, minor: bigint): WorldPayment {
  const paidAt = at(site, when);
  return {
    ...{ site_id: site.id, kind: 'payment', transaction_id: `p-${visitor}`, visitor_id: visitor },
    ...{ occurred_at: paidAt, paid_at: paidAt, amount_minor: minor, currency: site.currency },
  };
}

describe('several sites as one', () => {
  let world: WorldWarehouse;
  let combineSites: Reports['combineSites'];
  const ask = async (query: Partial<CombinedQuery>, sites = [CAFE, SHOP]) => {
    const answer = await combineSites(sites, {
      ...{
        site_ids: sites.map(({ id }) => id),
        date_range: DAYS,
        metrics: ['visitors', 'revenue'],
      },
      ...query,
    });
    assert.ok(answer.ok, JSON.stringify(answer));
    assert.deepEqual(createChecker(CombinedAnswer).findFaults(answer.value), []);
    return answer.value;
  };
  const lines = async (query: Partial<CombinedQuery>) =>
    (await ask(query)).results.map((row) => toLine([...row.dimensions, ...row.metrics]));

  before(async () => {
    world = await openWorldWarehouse();
    const rates = toRates(Buffer.from(RATES), 'the table');
    ({ combineSites } = createReports({
      warehouse: world.warehouse,
      spansOf: (code) => toRateSpans([rates], code),
      now: () => at(CAFE, '2026-11-20 12:00'),
    }));
    await world.addEvents([
      visit(SHOP, 'old', '2026-10-31 12:00', 'Google'),
      visit(CAFE, 'ann', '2026-11-02 09:00', 'Google'),
      visit(SHOP, 'ann', '2026-11-02 23:00', 'Google'),
      visit(CAFE, 'bob', '2026-11-03 18:00', ''),
    ]);
    await world.addPayments([payment(CAFE, 'ann', '2026-11-02 09:00', 10_00n)]);
    const paid = payment(SHOP, 'ann', '2026-11-02 23:00', 20_00n);
    await world.addPayments(
      [
        payment(SHOP, 'old', '2026-10-31 12:00', 8_00n),
        paid,
        {
          ...{ ...paid, kind: 'refund', transaction_id: 'r-ann', amount_minor: 5_00n },
          ...{ original_transaction_id: 'p-ann', occurred_at: at(SHOP, '2026-11-03 12:00') },
        },
      ],
      { currency: 'USD', timezone: SHOP.timezone },
    );
  });
  after(() => world.close());

  it('have rows of their own that add up to the totals, in one currency', async () => {
    const { results, totals, query } = await ask({ include: { totals: true } });
    assert.deepEqual(
      results.map((row) => toLine([...row.dimensions, ...row.metrics])),
      ['cafe.example | 2 | 10.00 EUR', 'shop.example | 1 | 8.00 EUR'],
    );
    assert.equal(toLine(totals?.metrics ?? []), '3 | 18.00 EUR');
    assert.equal(query.currency, 'EUR');
  });

  it('convert money at the rate of its day, into any currency with rates', async () => {
    const inDollars = { currency: 'USD', include: { totals: true } };
    const { totals } = await ask({ ...inDollars, metrics: ['revenue', 'refunds'] });
    assert.equal(toLine(totals?.metrics ?? []), '35.00 USD | 5.00 USD');
  });

  it('have the days of their own time zones', async () => {
    assert.deepEqual(await lines({ dimensions: ['time:day'] }), [
      '2026-11-02 | 2 | 20.00 EUR',
      '2026-11-03 | 1 | -2.00 EUR',
    ]);
    assert.deepEqual(await lines({ dimensions: ['time:month'] }), ['2026-11-01 | 3 | 18.00 EUR']);
  });

  it('add up by channel and by source', async () => {
    assert.deepEqual(await lines({ dimensions: ['visit:source'] }), [
      'Google | 2 | 18.00 EUR',
      'Direct | 1 | 0.00 EUR',
    ]);
  });

  it('are filtered alike, in counts and in converted money', async () => {
    const filters = [['is', 'visit:source', ['Google']]];
    const { results, totals, query } = await ask({ filters, include: { totals: true } });
    assert.deepEqual(
      results.map((row) => toLine([...row.dimensions, ...row.metrics])),
      ['cafe.example | 1 | 10.00 EUR', 'shop.example | 1 | 8.00 EUR'],
    );
    assert.equal(toLine(totals?.metrics ?? []), '2 | 18.00 EUR');
    assert.deepEqual(query.filters, filters);
    const direct = { filters: [['is_not', 'visit:source', ['Google']]] };
    assert.deepEqual(await lines({ ...direct, dimensions: ['event:page'] }), ['/ | 1 | 0.00 EUR']);
    const of = { filters: [['is', 'visit:source', ['Google']]], dimensions: ['time:day'] };
    assert.deepEqual(await lines(of), ['2026-11-02 | 2 | 20.00 EUR', '2026-11-03 | 0 | -2.00 EUR']);
  });

  it('are compared with the same days of each before', async () => {
    const include = { compare: 'previous_period', totals: true } as const;
    const { totals } = await ask({ include });
    assert.equal(toLine(totals?.comparison?.metrics ?? []), '1 | 5.00 EUR');
    assert.deepEqual(totals?.comparison?.change, [200, 260]);
    const { results } = await ask({ include, dimensions: ['time:day'] });
    assert.deepEqual(results[0]?.comparison?.dimensions, ['2026-10-31']);
    assert.equal(toLine(results[0]?.comparison?.metrics ?? []), '1 | 5.00 EUR');
    const sources = await ask({ include, dimensions: ['visit:source'] });
    assert.deepEqual(sources.results[0]?.comparison?.change, [100, 260]);
  });

  it('divide revenue by visitors after both are added up', async () => {
    const { totals } = await ask({ metrics: ['revenue_per_visitor'], include: { totals: true } });
    assert.equal(toLine(totals?.metrics ?? []), '6.00 EUR');
  });

  it('name money without a rate, and add it to nothing', async () => {
    const { totals, meta } = await ask({ currency: 'KRW', include: { totals: true } });
    assert.equal(toLine(totals?.metrics ?? []), '3 | 0 KRW');
    const named = meta.unconverted?.map((each) =>
      toLine([each.payments, each.gross_revenue, each.refunds]),
    );
    assert.deepEqual(named, ['1 | 10.00 EUR | 0.00 EUR', '1 | 20.00 USD | 5.00 USD']);
  });

  it('begin, for all time, with the first of them', async () => {
    const { query, meta, results } = await ask({
      ...{ date_range: 'all', dimensions: ['time'], include: { time_labels: true } },
    });
    assert.equal(query.date_range[0], '2026-10-31T00:00:00-04:00');
    assert.equal(query.dimensions[0], 'time:day');
    assert.equal(meta.time_labels?.[0], '2026-10-31');
    assert.equal(toLine(results[0]?.metrics ?? []), '1 | 5.00 EUR');
  });

  it('refuse what none of them could answer', async () => {
    const faulty = { site_ids: ['x'], metrics: ['visitors' as const], date_range: 'never' };
    const wrongRange = await combineSites([CAFE, SHOP], faulty);
    assert.equal(wrongRange.ok ? '' : wrongRange.error.details[0]?.path, '/date_range');
    const asked = { ...faulty, date_range: DAYS, currency: 'XXX' };
    const wrongCurrency = await combineSites([CAFE, SHOP], asked);
    assert.equal(wrongCurrency.ok ? '' : wrongCurrency.error.details[0]?.path, '/currency');
    const refusedAt = async (wrong: Partial<CombinedQuery>) => {
      const whole: CombinedQuery = { ...faulty, date_range: DAYS, ...wrong };
      const refused = await combineSites([CAFE, SHOP], whole);
      return refused.ok ? '' : (refused.error.details[0]?.path ?? '');
    };
    const filters = [['is', 'visit:colour', ['red']]];
    assert.match(await refusedAt({ filters }), /^\/filters\/0/);
    for (const dimension of ['visit:colour', 'time:minute']) {
      assert.equal(await refusedAt({ dimensions: [dimension] }), '/dimensions/0');
    }
  });
});

function toLine(values: readonly (MetricValue | string)[]): string {
  const text = (value: MetricValue | string) =>
    typeof value === 'object' && value !== null ? `${value.value} ${value.currency}` : `${value}`;
  return values.map(text).join(' | ');
}
