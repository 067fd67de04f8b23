import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinRates, toRateSpans } from './exchange-rates.ts';
import { parseDayRates, parseRates } from './parse-rates.ts';
import { writeRates } from './write-rates.ts';

function rates(text: string) {
  const parsed = parseRates(text);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.value;
}

const DAY = Date.parse('2026-01-02') / 86_400_000;

describe('a table of exchange rates', () => {
  it('is read exactly, in any order of days, without what has no rate', () => {
    const table = rates(
      '# a remark\nDate,USD,JPY,\n2026-01-05,1.2,N/A,\n2026-01-02,1.123456,160,\n',
    );
    assert.deepEqual(table.days, [DAY, DAY + 3]);
    assert.deepEqual([...(table.perEuroByCode.get('USD') ?? [])].toSorted(), [
      [DAY, 1_123_456],
      [DAY + 3, 1_200_000],
    ]);
    assert.deepEqual([...(table.perEuroByCode.get('JPY') ?? [])], [[DAY, 160_000_000]]);
    assert.deepEqual([...(table.perEuroByCode.get('EUR')?.values() ?? [])], [1_000_000, 1_000_000]);
  });
  it('is read with the days of the daily table', () => {
    const text = 'Date, USD, JPY, \n5 January 2026, 1.2, 160, \n';
    assert.equal(writeRates(rates(text)), 'Date,USD,JPY\n2026-01-05,1.2,160\n');
  });
  it('is written as it is read', () => {
    const text = 'Date,USD,JPY\n2026-01-05,1.2,\n2026-01-02,1.123456,160\n';
    assert.equal(writeRates(rates(text)), text);
  });
  it('is joined day by day with a newer one', () => {
    const both = joinRates(
      rates('Date,USD\n2026-01-02,1.1\n2026-01-05,1.2\n'),
      rates('Date,USD,GBP\n2026-01-05,1.3,0.8\n2026-01-06,1.4,0.9\n'),
    );
    assert.equal(
      writeRates(both),
      'Date,USD,GBP\n2026-01-06,1.4,0.9\n2026-01-05,1.3,0.8\n2026-01-02,1.1,\n',
    );
  });
  it('keeps the rates of a day that a newer table of other currencies has not', () => {
    const [first, second] = ['{"kwd": 0.33}', '{"ugx": 4000}'].map((values) => {
      const parsed = parseDayRates(`{"date": "2026-01-05", "eur": ${values}}`);
      assert.ok(parsed.ok);
      return parsed.value;
    });
    assert.ok(first && second);
    assert.equal(writeRates(joinRates(first, second)), 'Date,KWD,UGX\n2026-01-05,0.33,4000\n');
  });
  it('holds each rate until the next, a week at most, and the last of all for ever', () => {
    const table = rates('Date,USD,DKK\n2026-01-02,1.1,7.5\n2026-01-05,1.2,\n2026-02-02,1.3,\n');
    const spans = (code: string) =>
      toRateSpans([table], code).map(({ startsOn, endsOn }) => [startsOn - DAY, endsOn - DAY]);
    assert.deepEqual(spans('USD'), [
      [0, 3],
      [3, 10],
      [31, 65_535 - DAY],
    ]);
    assert.deepEqual(spans('DKK'), [[0, 7]]);
    assert.deepEqual(spans('XXX'), []);
  });

  it('of one day is read in JSON, of any base', () => {
    const read = (text: string) => {
      const parsed = parseDayRates(text);
      return parsed.ok ? writeRates(parsed.value) : parsed.error;
    };
    const sample = 'Date,NGN\n2026-09-29,1790.504\n';
    assert.equal(
      read('{"date": "2026-09-29", "eur": {"ngn": 1790.504, "eur": 1, "btc": 2}}'),
      sample,
    );
    assert.equal(
      read('{"date": "2026-09-29", "usd": {"eur": 0.5, "ngn": 895.252}}'),
      'Date,NGN,USD\n2026-09-29,1790.504,2\n',
    );
    for (const text of [
      '',
      '{',
      '[]',
      '{"date": "2026-09-29"}',
      '{"date": "x", "eur": {"usd": 1}}',
      '{"date": "2026-11-31", "eur": {"usd": 1}}',
      '{"date": "2026-11-30", "eur": {"usd": 0, "jpy": -1, "xxx": 1}}',
      '{"date": "2026-11-30", "gbp": {"eur": -1, "usd": -2}}',
    ]) {
      assert.match(read(text), /^Rates of one day begin like/);
    }
    for (const values of ['{}', '{"usd": 2}', 'null']) {
      assert.match(
        read(`{"date": "2026-09-29", "gbp": ${values}}`),
        /^Rates of one day begin like/,
      );
    }
  });
  it('fills what a table before it leaves open, and no more', () => {
    const ecb = rates('Date,USD,DKK\n2026-01-02,1.1,7.5\n2026-02-02,1.3,\n');
    const other = rates('Date,USD,DKK,NGN\n2026-01-05,9,9,1000\n2026-01-20,8,8,2000\n');
    const spans = (code: string) =>
      toRateSpans([ecb, other], code).map(({ startsOn, endsOn, perEuro }) => {
        return [startsOn - DAY, endsOn - DAY, perEuro / 1_000_000];
      });
    const never = 65_535 - DAY;
    assert.deepEqual(spans('NGN'), [
      [3, 10, 1000],
      [18, never, 2000],
    ]);
    assert.deepEqual(spans('DKK'), [
      [0, 7, 7.5],
      [7, 10, 9],
      [18, never, 8],
    ]);
    assert.deepEqual(spans('USD'), [
      [0, 7, 1.1],
      [7, 10, 9],
      [18, 31, 8],
      [31, never, 1.3],
    ]);
  });

  const refused: readonly [string, RegExp][] = [
    ['', /begins with a line such as/],
    ['<html>', /begins with a line such as/],
    ['Date,USD\n', /has no day/],
    ['Date,USD\nyesterday,1\n', /Line 2: "yesterday" is not a day/],
    ['Date,USD\n2026-13-01,1\n', /Line 2: .* is not a day/],
    ['Date,USD\n2026-11-31,1\n', /Line 2: .* is not a day/],
    ['Date,USD\n31 November 2026,1\n', /Line 2: .* is not a day/],
    ['Date,USD\n2026-01-01,1e3\n', /Line 2: "1e3" is not a rate/],
    ['Date,USD\n2026-01-01,0\n', /Line 2: "0" is not a rate/],
    ['Date,USD\n2026-01-01,-1\n', /Line 2: "-1" is not a rate/],
    ['Date,USD\n2026-01-01,1,2\n', /Line 2: it has too many values/],
  ];
  for (const [text, why] of refused) {
    it(`is not ${JSON.stringify(text)}`, () => {
      const parsed = parseRates(text);
      assert.ok(!parsed.ok);
      assert.match(parsed.error, why);
    });
  }
});
