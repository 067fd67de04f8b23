import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PROVIDERS } from '#providers/known/providers.ts';
import { findWay } from './find-way.ts';

describe('the way to a form', () => {
  it('is found in the words of a step', () => {
    for (const [text, way] of [
      [
        'In Stripe, open Workbench → Webhooks → Add destination. Choose "Your account".',
        ['Workbench', 'Webhooks', 'Add destination'],
      ],
      [
        'In Razorpay, open Account & Settings → Webhooks and click Add New Webhook. Paste it.',
        ['Account & Settings', 'Webhooks'],
      ],
      ['Settings → Advanced: it is shown beside it.', ['Settings', 'Advanced']],
      ['In your system, create a webhook.', []],
    ] as const) {
      assert.deepEqual(findWay(text), way);
    }
  });

  it('is short for every provider', () => {
    for (const { title, steps } of PROVIDERS) {
      const way = findWay(steps[0]?.text ?? '');
      assert.ok(
        way.every((each) => each.length <= 32),
        `${title}: ${way}`,
      );
    }
  });
});
