import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ErrorAnswer } from '#contract/error.ts';
import type { GoalRequest } from '#contract/goal.ts';
import type { IdentifyRequest } from '#contract/identify.ts';
import { VISITOR_ID_PATTERN } from '#contract/patterns.ts';
import type { PaymentAnswer, PaymentRequest } from '#contract/payments/payment.ts';
import { CURRENCIES } from '#domain/money/currencies.ts';
import { maxMinorOf, parseAmount } from '#domain/money/parse-amount.ts';
import { toMajorText } from '../../packages/server/src/amounts.ts';
import type * as Package from '../../packages/server/src/contract.ts';
import { checkoutMetadata, signUserId, visitorFrom } from '../../packages/server/src/index.ts';
import { PACKAGE_TYPES, toPackageTypes } from '../../scripts/make-package-types.ts';

/** A type that allows the same as another: `tsc` complains otherwise. */
type Bare<T> = { -readonly [Name in keyof T]-?: Exclude<T[Name], undefined> };
type Same<One extends Other, Other extends Again, Again = One> = [One, Other, Again];
export type Agreement = [
  Same<Bare<Package.GoalRequest>, Bare<GoalRequest>>,
  Same<Bare<Package.IdentifyRequest>, Bare<IdentifyRequest>>,
  Same<Bare<Package.PaymentRequest>, Bare<PaymentRequest>>,
  Same<Bare<Package.PaymentAnswer>, Bare<PaymentAnswer>>,
  Same<Package.ErrorType, ErrorAnswer['error']['type']>,
];

describe('what @tributary/server knows of the contract', () => {
  it('is what the contract says', () => {
    const fix = 'run: node scripts/make-package-types.ts';
    assert.equal(readFileSync(PACKAGE_TYPES, 'utf8'), toPackageTypes(), fix);
  });

  it('moves the point of every currency without losing a digit', () => {
    for (const currency of CURRENCIES) {
      fc.assert(
        fc.property(fc.bigInt({ min: 0n, max: maxMinorOf(currency) }), (minor) => {
          const parsed = parseAmount(toMajorText(minor, currency.code), currency);
          assert.deepEqual(parsed, { ok: true, value: { minor, isRounded: false } });
        }),
        { numRuns: 20 },
      );
    }
  });

  it('writes amounts as people do', () => {
    const cases = [
      [2_999, 'eur', '29.99'],
      [5, 'USD', '0.05'],
      [0, 'USD', '0.00'],
      [500, 'JPY', '500'],
      [1_001, 'KWD', '1.001'],
      [1, 'CLF', '0.0001'],
    ] as const;
    for (const [minor, currency, text] of cases) assert.equal(toMajorText(minor, currency), text);
  });

  it('refuses amounts that are not whole, and no others', () => {
    for (const wrong of [0.5, -1, -1n, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      assert.throws(() => toMajorText(wrong, 'EUR'), { type: 'invalid_amount' });
    }
  });

  it('leaves an amount without a currency to the server, which says what is missing', () => {
    assert.equal(toMajorText(2_999, undefined as unknown as string), '29.99');
  });
});

describe('the visitor of a request', () => {
  const id = '0193a1b2-6c1d-4f7a-9e55-2f1f6b0c7d10';

  it('is in the cookie, whatever the framework', () => {
    const cookie = `a=b; service_visitor_id=${id}; not_service_visitor_id=x`;
    assert.equal(visitorFrom(new Request('https://shop.example', { headers: { cookie } })), id);
    assert.equal(visitorFrom(new Headers({ cookie })), id);
    assert.equal(visitorFrom({ headers: { cookie } }), id);
    assert.equal(visitorFrom({ cookie }), id);
  });

  it('is in the header, which goes before an old cookie', () => {
    const headers = { cookie: 'service_visitor_id=old', 'x-service-visitor-id': 'daily-AbC_1' };
    assert.equal(visitorFrom(new Headers(headers)), 'daily-AbC_1');
    assert.equal(visitorFrom({ headers }), 'daily-AbC_1');
  });

  it('is unknown without either, or if it cannot be one', () => {
    for (const cookie of ['', 'a=b', 'service_visitor_id=', 'service_visitor_id=<script>']) {
      assert.equal(visitorFrom({ cookie }), undefined);
    }
    assert.equal(visitorFrom({ cookie: `service_visitor_id=${'x'.repeat(129)}` }), undefined);
    assert.equal(visitorFrom({}), undefined);
  });

  it('has an id as the contract defines it', () => {
    const rule = new RegExp(VISITOR_ID_PATTERN);
    fc.assert(
      fc.property(
        fc.string({ maxLength: 130, unit: fc.constantFrom(...'aZ09._:-/ ;') }),
        (text) => {
          const [sent = ''] = text.split(';');
          const expected = rule.test(sent.trimEnd()) ? sent.trimEnd() : undefined;
          assert.equal(visitorFrom({ cookie: `service_visitor_id=${text}` }), expected);
        },
      ),
    );
  });

  it('goes into the metadata of a checkout, if it is known', () => {
    assert.deepEqual(checkoutMetadata(id), { service_visitor_id: id });
    assert.deepEqual(checkoutMetadata(undefined), {});
  });
});

describe('a signed user id', () => {
  it('is what Node’s own HMAC makes', async () => {
    for (const userId of ['42', 'Ω', '']) {
      const expected = createHmac('sha256', 'geheim').update(userId).digest('hex');
      assert.equal(await signUserId(userId, 'geheim'), expected);
    }
  });
});
