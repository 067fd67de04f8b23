import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StoryAnswer } from '#contract/story.ts';
import { toPath } from './path.ts';

const visit = (id: string, ...touched: readonly string[]) => ({
  visit_id: id,
  touches: touched.map((at) => ({ at })),
});
const euros = (value: string) => ({ value, currency: 'EUR' });
const story = {
  visits: [
    visit('after', '2026-11-20T13:00:00Z'),
    visit('late', '2026-11-20T10:00:00Z', '2026-11-20T10:20:00Z'),
    visit('early', '2026-11-01T10:00:00Z'),
  ],
  payments: [
    {
      type: 'payment',
      transaction_id: 'order-1',
      at: '2026-11-20T12:00:00Z',
      credit: [
        { visit_id: 'late', touched_at: '2026-11-20T10:20:00Z', revenue: euros('10.00') },
        { visit_id: 'early', touched_at: '2026-11-01T10:00:00Z', revenue: euros('0.00') },
      ],
    },
  ],
} as unknown as StoryAnswer;

describe('the path to a payment', () => {
  const pathOf = (...given: Parameters<typeof toPath>) =>
    toPath(...given).before.map(({ visit: { visit_id: id }, isFirst, share }) => [
      id,
      isFirst,
      share?.value,
    ]);

  it('is the touches before it, the earliest first, with their shares', () => {
    assert.deepEqual(pathOf(story, 'order-1', null), [
      ['early', true, undefined],
      ['late', true, undefined],
      ['late', false, '10.00'],
    ]);
  });

  it('gives each touch its share of what refunds left of the payment', () => {
    const refundOf = (ids: object, value: string) => ({
      ...{ type: 'refund', at: '2026-11-21T12:00:00Z', ...ids },
      credit: [{ visit_id: 'late', touched_at: '2026-11-20T10:20:00Z', revenue: euros(value) }],
    });
    const payments = [
      ...story.payments,
      refundOf({ transaction_id: 'order-1' }, '-3.00'),
      refundOf({ transaction_id: 're-2', original_transaction_id: 'order-1' }, '-0.50'),
      refundOf({ transaction_id: 'order-2' }, '-1.00'),
    ] as unknown as StoryAnswer['payments'];
    const shares = toPath({ ...story, payments }, 'order-1', null).before.map(
      ({ share }) => share?.value,
    );
    assert.deepEqual(shares, [undefined, undefined, '6.50']);
  });

  it('reaches no further back than the window', () => {
    const withoutEarly = {
      ...story,
      payments: story.payments.map((each) => ({ ...each, credit: each.credit.slice(0, 1) })),
    };
    assert.deepEqual(pathOf(withoutEarly, 'order-1', 7), [
      ['late', true, undefined],
      ['late', false, '10.00'],
    ]);
  });

  it('goes on with the touches after it', () => {
    const { after } = toPath(story, 'order-1', null);
    assert.deepEqual(
      after.map(({ visit }) => visit.visit_id),
      ['after'],
    );
  });

  it('is empty for a payment that is not in the story', () => {
    assert.deepEqual(toPath(story, 'order-2', null), { before: [], after: [] });
  });
});
