import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePayment } from './parse-payment.ts';

const parse = (facts: Readonly<Record<string, string>>, timezone = 'UTC') =>
  parsePayment(
    {
      fields: { amount: 1, currency: 'EUR', transaction_id: 't', ...facts },
      amountText: '1',
      hasBadVisitor: false,
      faults: [],
    },
    { timezone, receivedAt: Date.UTC(2026, 10, 21) },
  );

describe('the e-mail address of a payment', () => {
  const read = (email: string) => {
    const parsed = parse({ email });
    return parsed.ok ? parsed.value.facts.email : 'refused';
  };

  it('is in lower case, without spaces around it', () => {
    assert.equal(read(' Ada@Example.com\n'), 'ada@example.com');
  });
  it('and the name may be the customer’s', () => {
    const parsed = parse({ customer_email: 'Ada@Example.com', customer_name: 'Ada' });
    assert.ok(parsed.ok);
    assert.deepEqual(
      [parsed.value.facts.email, parsed.value.facts.name],
      ['ada@example.com', 'Ada'],
    );
  });
  it('is absent if it is empty', () => {
    assert.equal(read(''), undefined);
    assert.equal(read('  '), undefined);
  });
});

describe('the timestamp of a payment', () => {
  const isTaken = (timestamp: string, timezone: string) => parse({ timestamp }, timezone).ok;

  for (const zone of ['Pacific/Kiritimati', 'UTC', 'America/Los_Angeles']) {
    it(`may be the first day of 2000 in ${zone}, and not the day before`, () => {
      assert.ok(isTaken('2000-01-01', zone));
      assert.ok(!isTaken('1999-12-31', zone));
    });
  }
  it('without an offset is in the zone of the site, and a note says so', () => {
    const parsed = parse({ timestamp: '2026-11-20 14:30' }, 'Europe/Berlin');
    assert.ok(parsed.ok);
    assert.equal(parsed.value.facts.paidAt, Date.parse('2026-11-20T13:30:00Z'));
    assert.deepEqual(parsed.value.notes, [
      'timestamp has no offset and was read in the time zone Europe/Berlin.',
    ]);
  });
  it('may be the first instant of 2000', () => {
    assert.ok(isTaken('2000-01-01T00:00:00Z', 'Asia/Tokyo'));
    assert.ok(!isTaken('1999-12-31T23:59:59Z', 'Asia/Tokyo'));
  });
});

describe('an id in a payment that identifies nobody', () => {
  it('is ignored, and a note says so', () => {
    const ids = {
      service_visitor_id: 'undefined',
      email: 'guest@guest.com',
      customer_id: 'Guest',
      subscription_id: 'null',
    };
    const parsed = parse(ids);
    assert.ok(parsed.ok);
    const { visitorId, email, customerId, subscriptionId } = parsed.value.facts;
    assert.deepEqual([visitorId, email, customerId, subscriptionId], Array(4).fill(undefined));
    assert.deepEqual(
      parsed.value.notes,
      Object.entries(ids).map(
        ([field, id]) => `${field} "${id}" identifies nobody and was ignored.`,
      ),
    );
  });
  it('is not one that merely contains such a word', () => {
    const parsed = parse({ customer_id: 'guest-7', subscription_id: 'sub_null' });
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.value.notes, []);
    assert.equal(parsed.value.facts.customerId, 'guest-7');
  });
});
