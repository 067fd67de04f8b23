import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { QueryAnswer } from '#contract/query.ts';
import { chooseAnswerType, toCsv, toNdjson } from './answer-formats.ts';

function answer(rows: QueryAnswer['results'], compared = false): QueryAnswer {
  return {
    results: rows,
    meta: {},
    query: {
      site_id: 'a',
      metrics: ['visitors', 'revenue'],
      date_range: ['', ''],
      dimensions: ['visit:source'],
      filters: [],
      order_by: [],
      pagination: { limit: 10, offset: 0 },
      attribution: { model: 'first_touch', lookback_days: null },
      include: {},
      timezone: 'UTC',
      ...(compared && { comparison_date_range: ['', ''] as [string, string] }),
    },
  };
}

const eur = (value: string) => ({ value, currency: 'EUR' });

describe('an answer as CSV', () => {
  it('has a heading with the currency, and numbers as they are', () => {
    const text = toCsv(answer([{ dimensions: ['Google'], metrics: [12, eur('-3.50')] }]));
    assert.equal(text, 'visit:source,visitors,revenue (EUR)\r\nGoogle,12,-3.50\r\n');
  });
  it('has the earlier value and the change behind each metric', () => {
    const comparison = { dimensions: ['Google'], metrics: [6, null], change: [100, null] };
    const text = toCsv(
      answer([{ dimensions: ['Google'], metrics: [12, eur('1.00')], comparison }], true),
    );
    assert.deepEqual(text.split('\r\n').slice(0, 2), [
      'visit:source,visitors,visitors (before),visitors (change %),revenue (EUR),revenue (EUR) (before),revenue (change %)',
      'Google,12,6,100,1.00,,',
    ]);
  });
  it('quotes what would break a line', () => {
    const text = toCsv(answer([{ dimensions: ['a "b", c\nd'], metrics: [1, null] }]));
    assert.equal(text.split('\r\n').slice(1, -1).join('\r\n'), '"a ""b"", c\nd",1,');
  });
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1', '%0A=1', '|calc'];
  for (const separator of [';', ',', '|', '\t', '\n']) {
    it(`lets none run behind ${JSON.stringify(separator)}, where it may split cells`, () => {
      const text = toCsv(answer([{ dimensions: [`a${separator} =1+1`], metrics: [1, null] }]));
      assert.doesNotMatch(text, /[;,|\t\n]\s*=1/);
      assert.match(text, /'=1\+1/);
      for (const quote of [`"`, `'`, ` "`, '\u200B']) {
        const dimensions = [`a${separator}${quote}=1+1`];
        assert.match(toCsv(answer([{ dimensions, metrics: [1, null] }])), /(?<!a.)'=1\+1/s);
      }
    });
  }

  for (const formula of formulas) {
    it(`lets no spreadsheet run ${JSON.stringify(formula)}`, () => {
      const text = toCsv(answer([{ dimensions: [formula], metrics: [1, null] }]));
      const cell = text.slice(text.indexOf('\r\n') + 2);
      assert.match(cell, /^"?'/);
    });
  }
  it('keeps every text in one cell that begins harmlessly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const csv = toCsv(answer([{ dimensions: [text], metrics: [7, null] }]));
        const cell = csv.slice(csv.indexOf('\r\n') + 2, -',7,\r\n'.length);
        const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
        assert.ok(read === text || read === `'${text}`);
        assert.doesNotMatch(read, /^[=+\-@\t\r]/);
        if (!cell.startsWith('"')) assert.doesNotMatch(cell, /[",\r\n]/);
      }),
    );
  });
});

describe('an answer as NDJSON', () => {
  it('has an object a line, by name', () => {
    const text = toNdjson(
      answer([
        { dimensions: ['a\nb'], metrics: [1, eur('2.00')] },
        { dimensions: ['c'], metrics: [0, null] },
      ]),
    );
    assert.deepEqual(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
      [
        { 'visit:source': 'a\nb', visitors: 1, revenue: eur('2.00') },
        { 'visit:source': 'c', visitors: 0, revenue: null },
      ],
    );
  });
});

describe('the media type', () => {
  const cases: readonly [string | undefined, string][] = [
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/html', 'application/json'],
    ['text/csv', 'text/csv'],
    ['text/*', 'text/csv'],
    ['TEXT/CSV; charset=utf-8', 'text/csv'],
    ['text/csv;q=0.5, application/json;q=0.9', 'application/json'],
    ['application/vnd.apache.parquet, */*;q=0.1', 'application/vnd.apache.parquet'],
    ['application/json;q=0, text/csv;q=x', 'application/json'],
  ];
  for (const [accept, type] of cases) {
    it(`for ${accept} is ${type}`, () => assert.equal(chooseAnswerType(accept), type));
  }
});
