import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPlaceholderKey } from './placeholder-keys.ts';

describe('a placeholder key', () => {
  for (const key of ['', '  ', 'null', 'NULL', ' undefined ', 'guest', '[object Object]', '0']) {
    it(`is "${key}", whatever its kind`, () => {
      assert.ok(isPlaceholderKey('user', key));
      assert.ok(isPlaceholderKey('customer', key));
      assert.ok(isPlaceholderKey('email', key));
    });
  }
  for (const key of ['anna', '@', 'anna@', 'test@test.com', 'Guest@Example.com']) {
    it(`is "${key}" as an e-mail address, but not as an id`, () => {
      assert.ok(isPlaceholderKey('email', key));
      assert.ok(!isPlaceholderKey('user', key));
    });
  }
  it('is not a real id or address', () => {
    assert.ok(!isPlaceholderKey('user', '42'));
    assert.ok(!isPlaceholderKey('customer', 'cus_9'));
    assert.ok(!isPlaceholderKey('email', 'anna@example.com'));
  });
});
