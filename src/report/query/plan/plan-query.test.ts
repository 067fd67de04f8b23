import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SentQuery } from '#contract/query.ts';
import { parseQuery } from '../parse/parse-query.ts';
import type { Plan } from './plan.ts';
import { planThreads } from './plan-fact.ts';
import { planQuery } from './plan-query.ts';

const SITE = { id: 'site_a', timezone: 'UTC', currency: 'EUR' };
const FACTS = {
  payments: true,
  costs: false,
  money: {
    hasUnconverted: false,
    hasLate: false,
    hasUnconvertedCosts: false,
    ratesUntil: undefined,
  },
  persons: false,
  visits: 1_000_000,
};

function plan(sent: Partial<SentQuery>, facts: Partial<typeof FACTS> = {}): Plan {
  const whole = { site_id: 'site_a', metrics: ['visitors'], date_range: '7d', ...sent };
  const query = parseQuery(whole, SITE, { now: Date.parse('2026-11-21T11:00:00Z') });
  assert.ok(query.ok);
  return planQuery(query.value, { ...FACTS, ...facts });
}

describe('the plan of a query', () => {
  it('counts visitors exactly up to a million visits, and estimates them above', () => {
    const [exact, estimated] = [plan({}), plan({}, { visits: 1_000_001 })];
    assert.equal(exact.isApproximate, false);
    assert.match(exact.rows.facts[0]?.counts[0]?.sql ?? '', /^uniqExact\(/);
    assert.equal(estimated.isApproximate, true);
    assert.match(estimated.rows.facts[0]?.counts[0]?.sql ?? '', /^uniqCombined64\(17\)/);
  });

  it('says nothing of estimates where nobody is counted', () => {
    assert.equal(plan({ metrics: ['revenue'] }, { visits: 2_000_000 }).isApproximate, false);
  });

  it('reads no payments of a site that was never paid', () => {
    const { rows } = plan({ metrics: ['visitors', 'revenue'] }, { payments: false });
    assert.deepEqual(
      rows.facts.map(({ of }) => of),
      ['visits'],
    );
  });

  it('ranks the first page of one dimension by a sum of payments, where others are counted too', () => {
    const sent = { metrics: ['visitors', 'revenue'], dimensions: ['visit:source'] };
    const rankOf = (more: Partial<SentQuery>) => plan({ ...sent, ...more }).rows.rank;
    const order_by: SentQuery['order_by'] = [['revenue', 'desc']];
    const pagination = { limit: 20, offset: 40 };
    assert.deepEqual(rankOf({ order_by, pagination }), { fact: 1, column: 'p1', rows: 61 });
    assert.equal(rankOf({ order_by: [['visitors', 'desc']] }), undefined);
    assert.equal(rankOf({ order_by: [['revenue', 'asc']] }), undefined);
    assert.equal(rankOf({ order_by, metrics: ['revenue'] }), undefined);
    assert.equal(rankOf({ order_by, include: { totals: true } }), undefined);
    assert.equal(rankOf({ order_by, dimensions: ['visit:source', 'visit:device'] }), undefined);
  });

  it('merges the counts of several facts, and takes those of one as they are', () => {
    const isMerged = (...metrics: string[]) => plan({ metrics }).rows.isMerged;
    assert.deepEqual(
      [isMerged('visitors', 'visits'), isMerged('revenue'), isMerged('visitors', 'revenue')],
      [false, false, true],
    );
    assert.equal(plan({ dimensions: ['time:day'] }).rows.isMerged, true, 'with days of nothing');
  });

  it('takes one thread for few visits', () => {
    assert.deepEqual(planThreads({ ...FACTS, visits: 20_000 }), { threadsMax: 1 });
    assert.deepEqual(planThreads({ ...FACTS, visits: 20_001 }), {});
  });

  it('credits payments to visits only where these are asked about', () => {
    const creditOf = (sent: Partial<SentQuery>) =>
      plan({ metrics: ['revenue'], ...sent }).rows.facts.map(({ credit }) => credit.to);
    assert.deepEqual(creditOf({}), ['none']);
    assert.deepEqual(creditOf({ dimensions: ['visit:source'] }), ['first']);
    const inWindow = { model: 'first_touch' as const, lookback_days: 30 };
    assert.deepEqual(creditOf({ dimensions: ['visit:source'], attribution: inWindow }), ['path']);
    const models = { models: ['first_touch' as const, 'linear' as const, 'time_decay' as const] };
    const byModels = { dimensions: ['visit:source'], attribution: models };
    assert.deepEqual(creditOf(byModels), ['path']);
  });

  it('looks up only what its metrics need', () => {
    const needsOf = (metric: string) => [
      ...(plan({ metrics: [metric] }).rows.facts[0]?.needs ?? []),
    ];
    assert.deepEqual(needsOf('visitors'), []);
    assert.deepEqual(needsOf('new_visitors'), ['first_visit']);
    assert.deepEqual(needsOf('customers'), ['customer']);
    assert.deepEqual(needsOf('time_to_purchase'), ['first_payment', 'path']);
  });
});
