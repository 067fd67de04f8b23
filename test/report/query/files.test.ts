import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Bakery, openBakery } from '../../worlds/open-bakery.ts';

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
});
after(() => bakery.close());

const date_range: [string, string] = ['2026-11-01', '2026-11-30'];

describe('an answer as a file', () => {
  for (const format of ['Parquet', 'Arrow', 'ArrowStream'] as const) {
    it(`of ${format} has the same rows, with types of their own`, async () => {
      const { rows } = await bakery.file(
        {
          metrics: ['visits', 'bounce_rate', 'revenue', 'revenue_per_visitor'],
          dimensions: ['visit:source'],
          pagination: { limit: 3 },
          date_range,
        },
        format,
      );
      assert.deepEqual(
        rows.map((row) => Object.values(row as object)),
        [
          ['Direct', '2', 50, 0, 0],
          ['Hacker News', '2', 100, 0, 0],
          ['Google', '1', 0, 35.9, 35.9],
        ],
      );
    });
  }
  it('names columns by our own words, and time as instants', async () => {
    const { rows, bytes } = await bakery.file(
      {
        metrics: ['conversions'],
        dimensions: ['time:day', 'event:props:plan', 'event:props:other'],
        date_range: ['2026-11-02', '2026-11-02'],
      },
      'Parquet',
    );
    assert.equal(bytes.toString('latin1', 0, 4), 'PAR1');
    assert.deepEqual(rows, [
      {
        time_day: '2026-11-01 23:00:00.000',
        event_props: 'pro',
        event_props_2: '(none)',
        conversions: '1',
      },
    ]);
  });
});
