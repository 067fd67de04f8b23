import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  DEFAULT_VIEW,
  FILTER_OPERATORS,
  parseFilter,
  parseView,
  writeFilter,
  writeView,
} from './address.ts';

const none = () => new URLSearchParams();

describe('the address of a view', () => {
  it('is empty when everything is as by default', () => {
    assert.equal(writeView(DEFAULT_VIEW, none()).toString(), '');
    assert.deepEqual(parseView(none()), DEFAULT_VIEW);
  });

  it('says everything that was chosen', () => {
    const view = {
      ...DEFAULT_VIEW,
      ...{ period: 'custom', from: '2026-11-01', to: '2026-11-20', compare: 'year', by: 'week' },
      ...{ model: 'linear', window: '30', metric: 'bounce_rate', panel: 'sources' },
      filters: [{ operator: 'is', dimension: 'visit:source', values: ['Google'] } as const],
    };
    const params = writeView(view, none());
    assert.equal(params.get('f'), 'is,visit:source,Google');
    assert.deepEqual(parseView(params), view);
  });

  it('leaves what others keep in it', () => {
    const params = writeView(DEFAULT_VIEW, new URLSearchParams('state=refunded&model=linear'));
    assert.equal(params.toString(), 'state=refunded');
  });

  it('falls back where it is broken', () => {
    const broken = 'period=custom&from=2026-11-20&to=2026-11-01&f=is&f=,,&f=is,visit:os,iOS';
    const view = parseView(new URLSearchParams(broken));
    assert.equal(view.period, '30d');
    assert.deepEqual(view.filters, [{ operator: 'is', dimension: 'visit:os', values: ['iOS'] }]);
  });
});

it('a filter comes back from its text, whatever its values hold', () => {
  const filters = fc.record({
    operator: fc.constantFrom(...FILTER_OPERATORS),
    dimension: fc.constantFrom('visit:source', 'event:props:plan', 'event:page'),
    values: fc.array(fc.string({ unit: fc.constantFrom('a', ',', '\\', ' ', 'é', '') }), {
      minLength: 1,
      maxLength: 4,
    }),
  });
  fc.assert(
    fc.property(filters, (filter) =>
      assert.deepEqual(parseFilter(writeFilter(filter)), { ...filter }),
    ),
  );
});
