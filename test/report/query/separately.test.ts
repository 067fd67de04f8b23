import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { type Bakery, type BakeryQuery, openBakery } from '../../worlds/open-bakery.ts';

const DIMENSIONS = ['visit:channel', 'visit:country', 'visit:entry_page', 'visit:device'];
const METRICS = ['visitors', 'visits', 'revenue', 'payments', 'conversions', 'percentage'];

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
});
after(() => bakery.close());

type Asked = Omit<BakeryQuery, 'metrics'>;

/** Rows by dimension and value, in any order. */
async function together(query: Asked) {
  const asked = { ...query, metrics: METRICS, dimensions: DIMENSIONS, separately: true };
  const { results } = await bakery.ask(asked);
  return results.map((row) => JSON.stringify(row)).toSorted();
}

async function oneByOne(query: Asked) {
  const answers = await Promise.all(
    DIMENSIONS.map(async (dimension) => {
      const { results } = await bakery.ask({
        ...query,
        metrics: METRICS,
        dimensions: [dimension],
      });
      return results.map(({ dimensions, comparison, ...row }) => ({
        dimensions: [dimension, ...dimensions],
        ...row,
        ...(comparison && {
          comparison: { ...comparison, dimensions: [dimension, ...comparison.dimensions] },
        }),
      }));
    }),
  );
  return answers
    .flat()
    .map((row) => JSON.stringify(row))
    .toSorted();
}

describe('dimensions separately', () => {
  const cases: readonly [string, Asked][] = [
    ['alone', {}],
    ['under filters', { filters: [['is_not', 'visit:source', ['Google']]] }],
    ['of visits with a page', { filters: [['is', 'event:page', ['/blog', '/pricing']]] }],
    ['beside another period', { include: { compare: 'previous_period' } }],
    ['under all models at once', { attribution: { models: [...ATTRIBUTION_MODELS] } }],
    ['under a rule', { attribution: { model: 'linear', lookback_days: 30 } }],
    ['by the data', { attribution: { model: 'data_driven', lookback_days: 30 } }],
  ];
  for (const [what, query] of cases) {
    it(`come to what each comes to by itself, ${what}`, async () => {
      const rows = await together(query);
      assert.ok(rows.length > DIMENSIONS.length);
      assert.deepEqual(rows, await oneByOne(query));
    });
  }

  it('are rows of one answer, in its order and on its pages', async () => {
    const asked = { metrics: ['visits'], dimensions: DIMENSIONS, separately: true };
    const all = await bakery.lines(asked);
    assert.equal(all[0], 'visit:channel | Direct | 6');
    const { meta } = await bakery.ask({
      ...asked,
      pagination: { limit: 2 },
      include: { total_rows: true },
    });
    assert.equal(meta.total_rows, all.length);
    const pagination = { limit: 2, cursor: meta.next_cursor ?? '' };
    assert.deepEqual(await bakery.lines({ ...asked, pagination }), all.slice(2, 4));
  });

  it('are two columns of a file', async () => {
    const asked = { metrics: ['visits'], dimensions: DIMENSIONS, separately: true };
    const { rows } = await bakery.file(asked, 'Arrow');
    assert.deepEqual(rows[0], { dimension: 'visit:channel', value: 'Direct', visits: '6' });
  });

  it('are several of visits, and none of bots', async () => {
    for (const dimensions of [
      [],
      ['visit:country'],
      ['visit:country', 'event:page'],
      ['visit:country', 'visit:bot_class'],
      ['visit:country', 'time:day'],
    ]) {
      const asked = { metrics: ['visitors'], dimensions, separately: true };
      assert.deepEqual(await bakery.faults(asked), [
        '/separately: needs two or more dimensions, all of visits and none of bots.',
      ]);
    }
  });
});
