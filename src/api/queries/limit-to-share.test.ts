import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SentQuery } from '#contract/query.ts';
import type { Share } from '#domain/account/share.ts';
import { RefusedRequest } from '#server/errors/errors.ts';
import { limitToShare } from './limit-to-share.ts';

const share: Share = {
  ...{ id: 'share_1', siteId: 'site_1', name: '', token: 't', passwordHash: '' },
  ...{ createdAt: 0, createdBy: 'anna@example.com', lastUsedAt: undefined },
  panels: ['figures', 'sources', 'countries', 'hours'],
  hasRevenue: false,
  filters: [['is', 'visit:campaign', ['spring']]],
};
const asked = { site_id: 'a.example', date_range: '30d', metrics: ['visitors'] };

/** The places that a query is refused at; none when it passes. */
function refusedAt(more: object, of: Partial<Share> = {}): string[] {
  try {
    limitToShare({ ...asked, ...more } as SentQuery, { ...share, ...of });
    return [];
  } catch (error) {
    assert.ok(error instanceof RefusedRequest && error.type === 'forbidden');
    return error.details.map(({ path }) => path);
  }
}
const by = (...dimensions: string[]) => ({ dimensions });
const where = (...filters: unknown[]) => ({ filters });

describe('what a shared link shows', () => {
  it('is what its panels ask for, under its own filters first', () => {
    const passing = [
      {},
      { ...by('time'), include: { compare: 'previous_period', time_labels: true } },
      { ...by('visit:source'), metrics: ['visitors', 'conversions'] },
      { ...by('time:hour'), metrics: ['visitors', 'conversions'] },
      { ...by('visit:source'), order_by: [['visitors', 'desc']] },
      {
        date_range: ['2026-11-01', '2026-11-30'],
        include: { compare: ['2025-11-01', '2025-11-30'] },
      },
      where(['is', 'visit:source', ['Google']], ['contains_not', 'visit:country_name', ['x']]),
      where([
        'not',
        [
          'or',
          [
            ['is_not', 'visit:source', ['a']],
            ['is', 'visit:country', ['DE']],
          ],
        ],
      ]),
    ];
    for (const more of passing) assert.deepEqual(refusedAt(more), [], JSON.stringify(more));
    const own = ['is', 'visit:source', ['Google']];
    const limited = limitToShare({ ...asked, ...where(own) } as SentQuery, share);
    assert.deepEqual(limited.filters, [share.filters[0], own]);
  });

  it('has no dimension of another panel, not two at once, and none of people', () => {
    const others = [
      ...[
        'event:page',
        'visit:city',
        'event:props:plan',
        'time:minute',
        'visit:bot',
        'payment:kind',
      ],
      ...['visitor:first_source', 'event:goal', 'payment:renewal', 'constructor', '__proto__'],
    ];
    for (const each of others) assert.deepEqual(refusedAt(by(each)), ['/dimensions'], each);
    for (const two of [
      ['visit:source', 'visit:country'],
      ['time:day', 'visit:source'],
      ['time:day', 'payment:renewal'],
    ]) {
      assert.deepEqual(refusedAt(by(...two)), ['/dimensions']);
    }
  });

  it('has no money unless it shows revenue, and no rows’ metrics in totals', () => {
    const money = ['revenue', 'customers', 'payments', 'average_order_value', 'time_to_purchase'];
    for (const each of money) {
      const more = { ...by('visit:source'), metrics: [each] };
      assert.deepEqual(refusedAt(more), ['/metrics/0'], each);
      assert.deepEqual(refusedAt(more, { hasRevenue: true }), [], each);
    }
    const bars = { ...by('time'), metrics: ['gross_new_revenue'] };
    assert.deepEqual(refusedAt(bars, { hasRevenue: true }), []);
    assert.deepEqual(refusedAt(bars), ['/metrics/0']);
    assert.deepEqual(refusedAt({ metrics: ['trials'] }, { hasRevenue: true }), ['/metrics/0']);
    assert.deepEqual(refusedAt({ order_by: [['revenue', 'desc']] }), ['/order_by/0']);
  });

  it('has no totals and no chart where it has rows only', () => {
    const of = { panels: ['sources'] };
    assert.deepEqual(refusedAt({}, of), ['/dimensions']);
    assert.deepEqual(refusedAt(by('time:day'), of), ['/dimensions']);
    assert.deepEqual(refusedAt(by('visit:source'), of), []);
    const include = { totals: true };
    const both = { panels: ['sources', 'figures'] };
    assert.deepEqual(refusedAt({ ...by('visit:source'), include }, of), ['/dimensions']);
    assert.deepEqual(refusedAt({ ...by('visit:source'), include }, both), ['/dimensions']);
    assert.deepEqual(refusedAt({ ...by('time:day'), include }, both), []);
    assert.deepEqual(refusedAt(by('visit:source'), { panels: ['figures'] }), ['/dimensions']);
  });

  it('cannot be searched through by filters on what it does not show', () => {
    for (const filter of [
      ['is', 'event:page', ['/secret']],
      ['is', 'event:props:email', ['a@example.com']],
      ['not', ['is', 'visit:city', ['Berlin']]],
      [
        'or',
        [
          ['is', 'visit:source', ['a']],
          ['is', 'visit:city', ['b']],
        ],
      ],
      ['and', 'visit:source'],
      ['has_done', ['is', 'visit:source', ['a']]],
      ['has_not_done', ['is', 'visit:source', ['a']]],
      ['matches', 'visit:source', ['(a+)+']],
      ['is', 'time:hour', ['2026-11-01 10:00:00']],
      ['is', ['visit:source'], ['a']],
      [],
    ]) {
      assert.deepEqual(refusedAt(where(filter)), ['/filters/0'], JSON.stringify(filter));
    }
    const figuresOnly = { panels: ['figures'] };
    assert.deepEqual(refusedAt(where(['is', 'visit:source', ['a']]), figuresOnly), ['/filters/0']);
  });

  it('is of whole days in the site’s own zone', () => {
    const instants = ['2026-11-01T10:00:00Z', '2026-11-01T10:00:01Z'];
    for (const date_range of [instants, '24h']) {
      assert.deepEqual(refusedAt({ date_range }), ['/date_range']);
    }
    assert.deepEqual(refusedAt({ include: { compare: instants } }), ['/include/compare']);
    assert.deepEqual(refusedAt({ timezone: 'Asia/Kathmandu' }), ['/timezone']);
  });
});
