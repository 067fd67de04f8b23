import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DATE_RANGE_FORM, FILTERS_FORM } from '#contract/query-fields.ts';
import { fitAnswer } from './fit-answer.ts';

describe('an answer for an assistant', () => {
  const MANY = Array.from({ length: 100 }, (_, index) => [`/${'x'.repeat(5_000)}`, index]);

  it('is whole if it is short', () => {
    const rows = [['Google', 2]];
    assert.deepEqual(JSON.parse(fitAnswer({ rows, total_rows: 1 })), { rows });
  });

  it('says how many rows there are, if some are on other pages', () => {
    const { more } = JSON.parse(fitAnswer({ rows: [[1], [2]], total_rows: 40 }));
    assert.match(more, /^2 of 40 rows are shown\./);
  });

  it('leaves out the last rows until it fits, and keeps what is beside them', () => {
    const text = fitAnswer({ rows: MANY, totals: [null, 4_950] });
    const { rows, totals, more } = JSON.parse(text);
    assert.ok(text.length <= 24_000, `${text.length} characters`);
    assert.ok(rows.length >= 30, `${rows.length} rows`);
    assert.deepEqual(
      rows.map(([, index]: [string, number]) => index),
      rows.map((_: unknown, index: number) => index),
    );
    assert.deepEqual(totals, [null, 4_950]);
    assert.match(more, new RegExp(`^${rows.length} of 100 rows are shown`));
  });

  it('keeps the forms of filters and dates whole', () => {
    const forms = { filters: FILTERS_FORM, date_range: DATE_RANGE_FORM };
    assert.deepEqual(JSON.parse(fitAnswer(forms)), forms);
  });

  it('cuts long texts, and never within a character', () => {
    const { at } = JSON.parse(fitAnswer({ at: `x${'𝕏'.repeat(500)}` }));
    assert.ok(at.length <= 601 && at.endsWith('…'), at);
    assert.ok(at.isWellFormed());
  });
});
