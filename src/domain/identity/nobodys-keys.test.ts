import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isNobodysKey } from './nobodys-keys.ts';

describe('a key that stands for nobody', () => {
  for (const key of ['', '  ', 'null', 'NULL', ' undefined ', 'guest', '[object Object]', '0']) {
    it(`is "${key}", as whatever kind of id`, () => {
      assert.ok(isNobodysKey('user', key));
      assert.ok(isNobodysKey('customer', key));
      assert.ok(isNobodysKey('email', key));
    });
  }
  for (const key of ['anna', 'test@test.com', 'Guest@Example.com']) {
    it(`is "${key}" as an e-mail address, and not as an id`, () => {
      assert.ok(isNobodysKey('email', key));
      assert.ok(!isNobodysKey('user', key));
    });
  }
  it('is no id or address of somebody', () => {
    assert.ok(!isNobodysKey('user', '42'));
    assert.ok(!isNobodysKey('customer', 'cus_9'));
    assert.ok(!isNobodysKey('email', 'anna@example.com'));
  });
});
