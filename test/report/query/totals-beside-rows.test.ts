import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Bakery, type BakeryQuery, openBakery } from '../../worlds/open-bakery.ts';

const METRICS = ['visitors', 'visits', 'conversion_rate', 'revenue', 'payments', 'percentage'];

const NOTHING: [string, string] = ['2020-01-01', '2020-01-31'];

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
});
after(() => bakery.close());

describe('totals beside rows', () => {
  const cases: readonly [string, Partial<BakeryQuery>][] = [
    ['by time', { dimensions: ['time:day'] }],
    ['by a dimension of visits', { dimensions: ['visit:source'] }],
    ['by two dimensions', { dimensions: ['visit:country', 'time:week'] }],
    ['by dimensions separately', { dimensions: ['visit:source', 'visit:os'], separately: true }],
    ['by a dimension of payments', { dimensions: ['payment:product'], metrics: ['revenue'] }],
    ['on a page', { dimensions: ['visit:source'], pagination: { limit: 1 } }],
    [
      'under a filter of events',
      { dimensions: ['visit:source'], filters: [['is', 'event:page', ['/blog', '/pricing']]] },
    ],
    [
      'under two models at once',
      { dimensions: ['visit:channel'], attribution: { models: ['last_touch', 'linear'] } },
    ],
    ['of a time without anything', { dimensions: ['time:day'], date_range: NOTHING }],
    ['of rows that are none', { dimensions: ['visit:source'], date_range: NOTHING }],
    ['without dimensions', {}],
  ];
  for (const [what, query] of cases) {
    it(`are the row without dimensions, ${what}`, async () => {
      const asked = { metrics: METRICS, ...query };
      const include = { totals: true, total_rows: true, compare: 'previous_period' as const };
      const { totals, results, meta } = await bakery.ask({ ...asked, include });
      const { dimensions: _, separately: _both, pagination: _page, ...whole } = asked;
      const [expected] = (await bakery.ask({ ...whole, include: { compare: include.compare } }))
        .results;
      assert.deepEqual(totals, expected);

      const plain = await bakery.ask({ ...asked, include: { ...include, totals: false } });
      assert.equal(plain.totals, undefined);
      assert.deepEqual(results, plain.results);
      assert.deepEqual(meta, plain.meta);
    });
  }

  it('come with the first page only', async () => {
    const asked = { metrics: ['visits'], dimensions: ['visit:source'], include: { totals: true } };
    const { meta, totals } = await bakery.ask({ ...asked, pagination: { limit: 1 } });
    assert.deepEqual(totals, { dimensions: [], metrics: [6] });
    const cursor = meta.next_cursor ?? '';
    const next = await bakery.ask({ ...asked, pagination: { limit: 1, cursor } });
    assert.equal(next.results.length, 1);
    assert.equal(next.totals, undefined);
    const second = await bakery.ask({ ...asked, pagination: { limit: 1, offset: 1 } });
    assert.deepEqual([second.results, second.totals], [next.results, undefined]);
  });

  it('are no row of a file', async () => {
    const asked = { metrics: ['visits'], dimensions: ['visit:source'] };
    const { rows } = await bakery.file({ ...asked, include: { totals: true } }, 'Arrow');
    assert.deepEqual(rows, (await bakery.file(asked, 'Arrow')).rows);
  });

  it('are refused where rows overlap', async () => {
    for (const dimensions of [['event:page'], ['visit:source', 'event:goal']]) {
      const asked = { metrics: ['visitors'], dimensions, include: { totals: true } };
      assert.deepEqual(await bakery.faults(asked), [
        '/include/totals: Rows of event dimensions overlap: query the totals without them.',
      ]);
    }
  });
});
