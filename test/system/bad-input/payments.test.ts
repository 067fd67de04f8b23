import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { payment, type RefusingServer, shareRefusingServer } from './refusing-server.ts';

const PATH = '/api/v1/payments';

describe('a payment is refused', () => {
  let tributary: RefusingServer;
  before(async () => {
    tributary = await shareRefusingServer();
  });
  after(() => tributary?.stop());

  const amount = (text: string, currency = 'USD') =>
    `{"amount":${text},"currency":"${currency}","transaction_id":"refused-1"}`;
  const refund = (changes: object) => payment({ refunded: true, ...changes });
  const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const cases: readonly [rule: string, body: unknown, ...paths: string[]][] = [
    [
      'without anything, naming all that is required',
      {},
      '/amount',
      '/currency',
      '/transaction_id',
    ],
    ['when it is a list', [payment()], ''],
    ['with a text as amount', payment({ amount: '29.99' }), '/amount'],
    ['with null as amount', payment({ amount: null }), '/amount'],
    ['with a negative amount', amount('-1'), '/amount'],
    ['with the smallest negative amount', amount('-1e-400'), '/amount'],
    ['with 1e400', amount('1e400'), '/amount'],
    ['with 400 digits', amount('9'.repeat(400)), '/amount'],
    ['with an exponent of a billion', amount('1e999999999'), '/amount'],
    ['above a trillion', amount('1000000000000.01'), '/amount'],
    ['above a trillion by what a float cannot tell', amount('1000000000000.00501'), '/amount'],
    ['with an unknown currency', payment({ currency: 'XYZ' }), '/currency'],
    ['with a currency of two letters', payment({ currency: 'US' }), '/currency'],
    ['with a currency and a blank', payment({ currency: 'USD ' }), '/currency'],
    ['with a letter that only looks like S', payment({ currency: 'UſD' }), '/currency'],
    ['with no currency', payment({ currency: undefined }), '/currency'],
    ['with an empty transaction_id', payment({ transaction_id: '' }), '/transaction_id'],
    [
      'with a transaction_id of 256',
      payment({ transaction_id: 't'.repeat(256) }),
      '/transaction_id',
    ],
    ['with a fraction as transaction_id', payment({ transaction_id: 1.5 }), '/transaction_id'],
    ['with a newline in transaction_id', payment({ transaction_id: 'a\nb' }), '/transaction_id'],
    [
      'with a C1 control in transaction_id',
      payment({ transaction_id: 'a\x85' }),
      '/transaction_id',
    ],
    ['with an e-mail of 255', payment({ email: `${'a'.repeat(250)}@b.de` }), '/email'],
    ['with a name of 256', payment({ name: 'n'.repeat(256) }), '/name'],
    ['with a NUL in the name', payment({ name: 'a\0b' }), '/name'],
    ['with a customer_id of 256', payment({ customer_id: 'c'.repeat(256) }), '/customer_id'],
    ['with a fraction as customer_id', payment({ customer_id: 1.5 }), '/customer_id'],
    ['with a text as renewal', payment({ renewal: 'true' }), '/renewal'],
    ['with 1 as refunded', payment({ refunded: 1 }), '/refunded'],
    ['with a small number as timestamp', payment({ timestamp: 12 }), '/timestamp'],
    ['with an hour that is not', payment({ timestamp: '2026-11-20T25:00:00' }), '/timestamp'],
    ['with a day that is not', payment({ timestamp: '2026-02-30' }), '/timestamp'],
    ['with words as timestamp', payment({ timestamp: 'yesterday' }), '/timestamp'],
    ['before 2000', payment({ timestamp: '1999-12-31T23:59:59Z' }), '/timestamp'],
    ['more than a day ahead', payment({ timestamp: later(25) }), '/timestamp'],
    ['with a bad refunded_at', refund({ refunded_at: 'soon' }), '/refunded_at'],
    [
      'as its own refund',
      refund({ original_transaction_id: 'refused-1' }),
      '/original_transaction_id',
    ],
    [
      'with an original and not refunded',
      payment({ original_transaction_id: 'other' }),
      '/original_transaction_id',
    ],
    [
      'with an amount twice',
      '{"amount":1,"amount":1,"currency":"USD","transaction_id":"refused-1"}',
      '/amount',
    ],
    [
      'with a name twice deep inside',
      '{"amount":1,"currency":"USD","transaction_id":"refused-1","more":[{"a":1,"a":1}]}',
      '/more/0/a',
    ],
    [
      'with a name twice, once escaped',
      '{"amount":1,"currency":"USD","transaction_id":"refused-1","transaction\\u005fid":"b"}',
      '/transaction_id',
    ],
    [
      'with a lone surrogate in transaction_id',
      '{"amount":1,"currency":"USD","transaction_id":"a\\udc00"}',
      '/transaction_id',
    ],
    [
      'with faults of every kind, naming each',
      {
        amount: -1.234,
        currency: 'EUR',
        email: 7,
        timestamp: 'x',
        refunded_at: 'y',
        original_transaction_id: 'o',
      },
      ...['/amount', '/transaction_id', '/email', '/timestamp', '/refunded_at'],
      '/original_transaction_id',
    ],
  ];
  for (const [rule, body, ...paths] of cases) {
    it(rule, async () => {
      await tributary.assertRefused({ path: PATH, body }, { type: 'invalid_request', paths });
    });
  }

  for (const [text, message] of [
    ['1e400', /must be at most 1000000000000\.$/],
    ['9'.repeat(400), /must be at most 1000000000000\.$/],
    ['-1e400', /must be at least 0\.$/],
  ] as const) {
    it(`and told the limit, of ${text.slice(0, 9)}`, async () => {
      const { body } = await tributary.send({ path: PATH, body: amount(text) });
      assert.match((body.error as { message: string }).message, message);
    });
  }

  const forgiven: readonly [what: string, body: unknown, message: RegExp][] = [
    ['more decimals than the currency has', amount('29.999'), /rounded to 30\.00 USD\.$/],
    ['the noise of a float', amount('29.990000000000000000000001'), /rounded to 29\.99 USD\.$/],
    ['half a yen', amount('0.5', 'JPY'), /rounded to 1 JPY\.$/],
    ['next to nothing', amount('1e-400'), /rounded to 0\.00 USD\.$/],
    [
      'a visitor id that cannot be one',
      payment({ service_visitor_id: '<script>' }),
      /service_visitor_id is not a valid visitor id and was ignored: it must be 1 to 128 characters/,
    ],
    ['a number as visitor id', payment({ service_visitor_id: 7 }), /was ignored/],
    ['an empty visitor id', payment({ service_visitor_id: '' }), /names no visitor/],
    [
      'null and nothing in every optional field',
      payment({
        ...{ service_visitor_id: null, email: '', name: null, customer_id: '', renewal: null },
        ...{ refunded: null, timestamp: '', refunded_at: null, original_transaction_id: null },
        ...{ subscription_id: null, product: '' },
      }),
      /^Payment recorded\./,
    ],
  ];
  for (const [index, [what, body, message]] of forgiven.entries()) {
    it(`but not for ${what}`, async () => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const sent = text.replace('refused-1', `forgiven-${index}`);
      const { code, body: answer } = await tributary.send({ path: PATH, body: sent });
      assert.equal(code, 200, JSON.stringify(answer));
      assert.match(String(answer.message), message);
    });
  }

  it('when it contradicts what is recorded', async () => {
    const recorded = payment({ transaction_id: 'recorded-1', amount: 10 });
    assert.equal((await tributary.send({ path: PATH, body: recorded })).code, 200);
    for (const change of [
      { amount: 10.01 },
      { amount: 9 },
      { currency: 'EUR' },
      { amount: 10.01, refunded: true },
      { transaction_id: 'r', original_transaction_id: 'recorded-1', refunded: true, amount: 11 },
    ]) {
      await tributary.assertRefused(
        { path: PATH, body: { ...recorded, ...change } },
        { type: 'transaction_conflict' },
      );
    }
  });

  it('when its Idempotency-Key came before with another body, or at another endpoint', async () => {
    const headers = { 'idempotency-key': 'paid once' };
    const body = payment({ transaction_id: 'keyed-1' });
    const first = await tributary.send({ path: PATH, body, headers });
    assert.equal(first.code, 200);
    await tributary.assertRefused(
      { path: PATH, body: { ...body, transaction_id: 'keyed-2' }, headers },
      { type: 'idempotency_conflict' },
    );
    await tributary.assertRefused(
      {
        path: '/api/v1/goals',
        body: { ...body, service_visitor_id: 'a-person', name: 'x' },
        headers,
      },
      { type: 'idempotency_conflict' },
    );
  });

  it('and yet a good one at every limit is accepted', async () => {
    const good = [
      amount('1e12').replace('refused-1', 'limit-1'),
      amount('0').replace('refused-1', 'limit-2'),
      amount('29.9900').replace('refused-1', 'limit-3'),
      amount('1.234', 'kwd').replace('refused-1', 'limit-4'),
      payment({ transaction_id: '😀'.repeat(255), timestamp: later(23), email: '' }),
    ];
    for (const body of good) {
      assert.equal((await tributary.send({ path: PATH, body })).code, 200, JSON.stringify(body));
    }
  });
});
