import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiKey } from '#domain/site/api-key.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time/durations.ts';
import type { ExplainedPayment } from '../payments/explain-payment.ts';
import { describeInstall } from './describe-install.ts';
import type { LastEvent } from './find-last-events.ts';

const NOW = Date.UTC(2026, 10, 30);
const NOTHING = {
  site: { id: 'site_1', domain: 'tea.example', currency: 'EUR' },
  ...{ server: 'https://hi.example.com', now: NOW, refusedHosts: [], keys: [] },
  ...{ lastPageview: undefined, lastGoal: undefined, latest: undefined, attributed: undefined },
};

describe('what is installed, in words', () => {
  const messageOf = (facts: Partial<Parameters<typeof describeInstall>[0]>, check: number) =>
    describeInstall({ ...NOTHING, ...facts }).checks[check]?.message;

  for (const [agoMs, words] of [
    [-5_000, '0 s ago'],
    [12_000, '12 s ago'],
    [119_000, '119 s ago'],
    [3 * MINUTE_MS, '3 min ago'],
    [26 * HOUR_MS, '26 h ago'],
    [5 * DAY_MS, '5 days ago'],
  ] as const) {
    it(`dates an event of ${agoMs} ms before as ${words}`, () => {
      const lastPageview = eventOf('pageview', { at: NOW - agoMs });
      assert.equal(messageOf({ lastPageview }, 0), `Last pageview ${words} from /pricing.`);
    });
  }

  it('names the host of a page that is not the domain’s own', () => {
    const lastPageview = eventOf('pageview', { hostname: 'shop.tea.example' });
    assert.match(messageOf({ lastPageview }, 0) ?? '', /from shop\.tea\.example\/pricing\.$/);
  });

  const byBackend = eventOf('goal', { name: 'signup', isFromServer: true });
  for (const [what, keys, words] of [
    ['the one that was used', [keyOf('ci', undefined), keyOf('prod', NOW)], 'by the key prod.'],
    ['the only one', [keyOf('prod', undefined)], 'by the key prod.'],
    ['each of several', [keyOf('a', NOW), keyOf('b', NOW)], 'by one of the keys a, b.'],
    ['by its end if it has no name', [keyOf('', NOW)], 'by the key …wxyz.'],
    ['none if it is revoked', [keyOf('old', NOW, NOW)], 'by a key that is no longer valid.'],
  ] as const) {
    it(`names the key of a backend’s goal: ${what}`, () => {
      const message = messageOf({ lastGoal: byBackend, keys }, 1);
      assert.equal(message, `Last goal signup 12 s ago, from a backend, ${words}`);
    });
  }

  it('names no key for a goal of a page', () => {
    const lastGoal = eventOf('goal', { name: 'signup' });
    assert.equal(messageOf({ lastGoal }, 1), 'Last goal signup 12 s ago, from a page.');
  });

  it('is content with one attributed payment, and says what is wrong with the last', () => {
    const latest = paymentOf('tx-2', { why: 'Its visitor is a bot.' });
    const attributed = paymentOf('tx-1', { sources: ['newsletter', 'Google', 'Google'] });
    const [, , payments] = describeInstall({ ...NOTHING, latest, attributed }).checks;
    assert.deepEqual(payments, {
      ...{ name: 'payments', ok: true },
      message:
        'Last payment tx-2 (9.00 EUR) 12 s ago, not attributed: Its visitor is a bot. Payment tx-1 (9.00 EUR) 12 s ago is attributed to newsletter and Google.',
    });
  });

  it('gives a line to add for what is missing alone', () => {
    const lastPageview = eventOf('pageview', {});
    const { installed, checks } = describeInstall({ ...NOTHING, lastPageview });
    assert.equal(installed, false);
    assert.deepEqual(
      checks.map(({ add = '' }) => add.split(' ').slice(0, 2).join(' ')),
      [
        '',
        'curl https://hi.example.com/api/v1/goals',
        'curl https://hi.example.com/api/v1/payments',
      ],
    );
  });
});

function eventOf(type: LastEvent['type'], more: Partial<LastEvent>): LastEvent {
  const place = { hostname: 'tea.example', path: '/pricing', name: '' };
  return { type, at: NOW - 12_000, ...place, isFromServer: false, ...more };
}

function keyOf(name: string, lastUsedAt?: number, revokedAt?: number): ApiKey {
  return {
    ...{ id: `key_${name}`, siteId: 'site_1', name, scopes: ['goals:write'] },
    ...{ prefix: 'trib_abc', last4: 'wxyz', createdAt: 0, expiresAt: undefined },
    ...{ lastUsedAt, revokedAt },
  };
}

function paymentOf(
  id: string,
  { why, sources = [] }: { readonly why?: string; readonly sources?: readonly string[] },
): ExplainedPayment {
  const amount = { value: '9.00', currency: 'EUR' };
  const at = new Date(NOW - 12_000).toISOString();
  return {
    payment: {
      ...{ transaction_id: id, state: why === undefined ? 'attributed' : 'bot_visitor' },
      ...{ status: 'paid', amount, refunded: amount, renewal: false, paid_at: at },
      ...{ refunds: [], changes: [] },
    },
    credit: sources.map((source) => ({ at, values: { source }, revenue: amount })),
    ...{ visits: sources.length, why },
  };
}
