import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSharedKey } from './shared-keys.ts';

describe('a key that stands for nobody', () => {
  for (const key of ['', '  ', 'null', 'NULL', ' undefined ', 'guest', '[object Object]', '0']) {
    it(`is "${key}", as whatever kind of id`, () => {
      assert.ok(isSharedKey('user', key));
      assert.ok(isSharedKey('customer', key));
      assert.ok(isSharedKey('email', key));
    });
  }
  for (const key of ['anna', 'test@test.com', 'Guest@Example.com']) {
    it(`is "${key}" as an e-mail address, and not as an id`, () => {
      assert.ok(isSharedKey('email', key));
      assert.ok(!isSharedKey('user', key));
    });
  }
  it('is no id or address of somebody', () => {
    assert.ok(!isSharedKey('user', '42'));
    assert.ok(!isSharedKey('customer', 'cus_9'));
    assert.ok(!isSharedKey('email', 'anna@example.com'));
  });
});
