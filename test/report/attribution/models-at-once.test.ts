import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { METRICS } from '#report/catalog.ts';
import { byModels } from '#report/metric.ts';
import { howMany } from '../../worlds/how-many.ts';
import { type Bakery, type BakeryQuery, openBakery } from '../../worlds/open-bakery.ts';

const models = [...ATTRIBUTION_MODELS];
/** Each kind of model: one visit's, shares by a rule, shares by the data. */
const KINDS = ['last_touch', 'linear', 'data_driven'] as const;
const include = { compare: 'previous_period' } as const;
/** Metrics that come once for each model. */
const CREDITED = [...METRICS.values()]
  .filter((metric) => byModels([metric], models).length > 1)
  .map(({ name }) => name);

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
});
after(() => bakery.close());

/** Values by what names their row and column. */
async function cells(query: BakeryQuery): Promise<Map<string, unknown>> {
  const { results, meta } = await bakery.ask(query);
  const names = meta.metrics ?? query.metrics;
  return new Map(
    results.flatMap(({ dimensions, metrics }) =>
      metrics.map((value, index) => [[...dimensions, names[index]].join(' | '), value] as const),
    ),
  );
}

describe('several models at once', () => {
  const dimensions = ['visit:source'];

  for (const [by, compared] of [
    [['visit:source'], models],
    [['event:page'], howMany(3) > 3 ? models : KINDS],
    [[], howMany(3) > 3 ? models : KINDS],
  ] as const) {
    it(`come to what each comes to by itself, by ${by.join() || 'nothing'}`, async () => {
      const metrics = ['revenue', 'payments', 'customers', 'conversions', 'conversion_rate'];
      const asked = { metrics, dimensions: [...by] };
      const together = await cells({ ...asked, attribution: { models: [...compared] } });
      for (const model of compared) {
        const alone = await cells({ ...asked, attribution: { model } });
        assert.ok(alone.size > 0);
        for (const [name, value] of alone) {
          assert.deepEqual(together.get(`${name}:${model}`), value, `${name}:${model}`);
        }
      }
    });
  }

  it('are answered, all eight, with what they are compared with', async () => {
    const filters = [['and', Array(60).fill(['is_not', 'visit:source', ['x']])]];
    for (const asked of [
      { metrics: ['revenue'], filters },
      { metrics: ['visitors', 'revenue', 'conversions'] },
    ]) {
      const { results } = await bakery.ask({
        ...asked,
        dimensions,
        include,
        attribution: { models },
      });
      assert.ok(results.length > 0);
      assert.ok(results.every(({ comparison }) => comparison !== undefined));
    }
  });

  it('are refused where they are more than the engine reads in a few seconds', async () => {
    const refused = async (query: BakeryQuery) => {
      const [fault, ...others] = await bakery.faults({ dimensions, ...query });
      assert.deepEqual(others, []);
      return fault;
    };
    const attribution = { models };
    const bound = /^\/attribution\/models: .* come to (\d+) here and may come to 40: ask for fewer/;
    const costOf = async (query: BakeryQuery) =>
      Number(bound.exec((await refused(query)) ?? '')?.[1]);
    assert.equal(await costOf({ metrics: CREDITED.slice(0, 15), attribution }), 120);
    assert.equal(await costOf({ metrics: CREDITED.slice(0, 3), attribution, include }), 48);
    const filters = [['and', Array(60).fill(['is_not', 'visit:source', ['x']])]];
    assert.equal(await costOf({ metrics: CREDITED.slice(0, 4), attribution, filters }), 80);
  });
});
