import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MetricValue, QueryAnswer } from '#contract/query.ts';
import { measureOf } from './choice.ts';
import { FIRST_TABS, findUnattributed, isOfFirstTabs, onlyOf, shownSort, toRows } from './rows.ts';

const money = (value: string) => ({ value, currency: 'EUR' });
const row = (name: string, visitors: number, revenue: string) => ({
  dimensions: [name],
  metrics: [
    visitors,
    money(revenue),
    visitors === 0 ? null : money(String(Number(revenue) / visitors)),
  ],
});
const revenue = measureOf('revenue');

describe('the rows of a panel', () => {
  const answer = {
    results: [
      row('Google', 100, '50'),
      row('Unattributed', 0, '40'),
      row('Email', 10, '25'),
      row('Ads', 200, '-5'),
    ],
    meta: { total_rows: 4 },
  };

  it('have bars as shares of the largest, and stand out from half again above the average', () => {
    const { rows } = toRows(answer, revenue, 0.3, undefined);
    assert.deepEqual(
      rows.map(({ value, shares, isRich }) => [value, shares[0], shares[1], isRich]),
      [
        ['Google', 0.5, 1, true],
        ['Email', 0.05, 0.5, true],
        ['Ads', 1, 0, false],
      ],
    );
    assert.equal(toRows(answer, revenue, undefined, undefined).rows[0]?.isRich, false);
  });

  it('end with what is unattributed, which counts as one of them', () => {
    const shown = toRows(answer, revenue, 1, { revenue: money('40'), payments: 3 });
    assert.deepEqual(shown.unattributed, { revenue: money('40'), payments: 3, share: 0.8 });
    assert.equal(shown.total, 4);
    const many = {
      results: [...'abcdefgh'].map((name) => row(name, 1, '1')),
      meta: { total_rows: 12 },
    };
    assert.equal(toRows(many, revenue, 1, { revenue: money('1'), payments: 1 }).rows.length, 6);
    assert.equal(toRows(many, revenue, 1, undefined).rows.length, 7);
    assert.equal(toRows(many, revenue, 1, undefined).total, 12);
  });

  it('say what is unattributed, wherever the answer has its columns', () => {
    const query = { metrics: ['visitors', 'revenue', 'revenue_per_visitor', 'payments'] };
    const asked = (results: { dimensions: string[]; metrics: MetricValue[] }[]) =>
      findUnattributed({ query, results }, 'EUR');
    const own = { dimensions: ['Unattributed'], metrics: [0, money('40'), null, 3] };
    assert.deepEqual(asked([row('Google', 9, '50'), own]), { revenue: money('40'), payments: 3 });
    assert.equal(asked([row('Google', 9, '50')]), undefined);
    assert.equal(asked([{ ...own, metrics: [0, money('0'), null, 0] }]), undefined);
  });

  it('are in the order of visitors where there is no revenue', () => {
    const poor = toRows({ results: [row('Google', 9, '0')], meta: {} }, revenue, 0, undefined);
    assert.equal(shownSort(poor, revenue, 'revenue'), 'visitors');
    assert.equal(shownSort(toRows(answer, revenue, 0, undefined), revenue, 'revenue'), 'revenue');
  });
});

const byRevenue = { measure: 'revenue', sort: 'revenue', direction: 'desc' } as const;

describe('the query for the first tabs', () => {
  it('has the visits’ dimensions that panels show at first, each on its own', () => {
    assert.deepEqual(FIRST_TABS.dimensions, ['visit:channel', 'visit:country', 'visit:device']);
    assert.equal(FIRST_TABS.separately, true);
    assert.equal(FIRST_TABS.metrics.at(-1), 'payments');
  });

  it('answers a panel that shows one of them in its first order', () => {
    assert.equal(isOfFirstTabs(byRevenue, 'visit:country'), true);
    assert.equal(isOfFirstTabs(byRevenue, 'visit:source'), false);
    assert.equal(isOfFirstTabs(byRevenue, 'event:page'), false);
    assert.equal(isOfFirstTabs({ ...byRevenue, sort: 'visitors' }, 'visit:country'), false);
    assert.equal(isOfFirstTabs({ ...byRevenue, direction: 'asc' }, 'visit:country'), false);
    assert.equal(isOfFirstTabs({ ...byRevenue, measure: 'visitors' }, 'visit:country'), false);
  });

  it('has an answer of which a panel takes its own rows', () => {
    const row = (...dimensions: string[]) => ({ dimensions, metrics: [1] });
    const answer = {
      results: [
        row('visit:country', 'DE'),
        row('visit:device', 'mobile'),
        row('visit:country', 'FR'),
      ],
      meta: { approximate: true },
    } as unknown as QueryAnswer;
    const { results, meta } = onlyOf('visit:country', answer);
    assert.deepEqual(results, [row('DE'), row('FR')]);
    assert.deepEqual(meta, { approximate: true, total_rows: 2 });
  });
});
