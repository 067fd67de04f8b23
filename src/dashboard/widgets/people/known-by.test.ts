import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type KnownBy, nameOf, parsePeopleOrder, readValue, writeOrder } from './known-by.ts';

const NOBODY: KnownBy = { person_id: 'a1b2c3d4-e5f6', user_ids: [], customer_ids: [] };

describe('what a person is called', () => {
  const cases: readonly (readonly [string, Partial<KnownBy>, string])[] = [
    ['a name first', { names: ['Anna Ek'], emails: ['anna@example.com'] }, 'Anna Ek'],
    ['then an address', { emails: ['anna@example.com'], user_ids: ['42'] }, 'anna@example.com'],
    ['then the id of a user', { user_ids: ['42'], customer_ids: ['cus_1'] }, '42'],
    ['then the id of a customer', { customer_ids: ['cus_1'] }, 'cus_1'],
    ['else the start of the visitor’s id', {}, 'Visitor a1b2c3d4'],
    ['empty names are none', { names: [''] }, 'Visitor a1b2c3d4'],
  ];
  for (const [rule, known, name] of cases) {
    it(rule, () => assert.equal(nameOf({ ...NOBODY, ...known }), name));
  }
});

describe('a value of a visit', () => {
  it('is left out where there is none', () => {
    assert.equal(readValue({ campaign: '(none)' }, 'campaign'), undefined);
    assert.equal(readValue(null, 'campaign'), undefined);
    assert.equal(readValue({ campaign: 'spring' }, 'campaign'), 'spring');
  });
});

describe('the order of people in the address', () => {
  it('is the latest first when nothing, or nonsense, is there', () => {
    for (const text of [null, '', 'shoe_size', '--revenue']) {
      assert.deepEqual(parsePeopleOrder(text), { by: 'last_seen_at', direction: 'desc' });
    }
  });

  it('reads what it wrote', () => {
    for (const order of [
      { by: 'revenue', direction: 'desc' },
      { by: 'revenue', direction: 'asc' },
      { by: 'last_seen_at', direction: 'asc' },
      { by: 'last_seen_at', direction: 'desc' },
    ] as const) {
      assert.deepEqual(parsePeopleOrder(writeOrder(order)), order);
    }
  });
});
