import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FILTER_OPERATORS } from '../format/dimensions.ts';
import {
  DEFAULT_VIEW,
  ignoredChoices,
  ignoredFilters,
  ignoredPeriod,
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
    assert.deepEqual(ignoredFilters(new URLSearchParams(broken)), ['is', ',,']);
  });

  it('says which choices it ignores', () => {
    const ignored = (text: string) => ignoredChoices(new URLSearchParams(text));
    assert.deepEqual(ignored('model=bogus&window=9999'), ['model=bogus', 'window=9999']);
    assert.deepEqual(ignored('compare=2026-11-02..2026-11-01'), ['compare=2026-11-02..2026-11-01']);
    assert.deepEqual(ignored('model=linear&window=all&compare=off&metric='), []);
  });

  it('says which period it ignores', () => {
    const ignored = (text: string) => ignoredPeriod(new URLSearchParams(text));
    assert.deepEqual(ignored('period=foo&from=2026-11-01'), ['period=foo']);
    assert.deepEqual(ignored('from=2026-13-45'), ['from=2026-13-45']);
    const turned = 'period=custom&from=2026-11-20&to=2026-11-01';
    assert.deepEqual(ignored(turned), turned.split('&'));
    for (const text of ['', 'period=7d&from=x', 'from=2026-11-01&to=2026-11-03', 'period=']) {
      assert.deepEqual(ignored(text), [], text);
    }
  });

  it('takes two days without a period for a period of their own', () => {
    const { period, from, to } = parseView(new URLSearchParams('from=2026-11-01&to=2026-11-03'));
    assert.deepEqual([period, from, to], ['custom', '2026-11-01', '2026-11-03']);
    const kept = parseView(new URLSearchParams('period=7d&from=2026-11-01&to=2026-11-03'));
    assert.equal(kept.period, '7d');
    assert.equal(writeView({ ...kept, period: '30d' }, none()).toString(), '');
  });
});

describe('a wrong value in an address counts as none', () => {
  const cases = [
    ...['period=bogus', 'period=0d', 'period=3661d', 'period=121mo', 'period=toString'],
    ...['window=-5', 'window=0', 'window=abc', 'window=731', 'window=1.5', 'model=zzz', 'metric=x'],
    ...['compare=zzz', 'compare=2026-02-31..2026-03-01', 'compare=2026-03-02..2026-03-01'],
    ...['from=2026-02-31', 'period=custom', 'period=custom&from=0001-01-01&to=0001-01-02'],
    'period=custom&from=2026-02-31&to=2026-03-01',
    ...[
      'f=is,visit:nosuch,1',
      'f=is,visit:,1',
      'f=is,time:day,1',
      'f=has_done,visit:source,Google',
    ],
  ];
  for (const text of cases) {
    it(text, () => assert.deepEqual(parseView(new URLSearchParams(text)), DEFAULT_VIEW));
  }
});

describe('an address may say what the API understands', () => {
  const cases = [
    ...[
      'period=24h',
      'period=91d',
      'period=12mo',
      'period=last_month',
      'window=365',
      'model=linear',
    ],
    ...[
      'compare=2026-10-01..2026-10-31',
      'compare=off',
      'metric=revenue',
      'f=has_done,event:goal,x',
    ],
    ...['f=is,payment:product,Pro', 'f=is,visit:utm_source,x', 'f=is,event:props:plan,a'],
    'period=custom&from=2024-02-29&to=2024-02-29',
  ];
  for (const text of cases) {
    it(text, () => {
      const params = new URLSearchParams(text);
      assert.equal(writeView(parseView(params), none()).toString(), params.toString());
    });
  }
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
