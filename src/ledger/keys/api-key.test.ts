import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fingerprintOf, isKey, mintKey } from './api-key.ts';

describe('an API key', () => {
  it('is trib_ with 43 random and 6 checksum digits', () => {
    assert.match(mintKey(), /^trib_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
  });

  it('is never the same twice', () => {
    assert.notEqual(mintKey(), mintKey());
  });

  it('is recognized by its checksum', () => {
    for (let count = 0; count < 100; count++) assert.ok(isKey(mintKey()));
  });

  it('is refused with any one character changed', () => {
    const key = mintKey();
    fc.assert(
      fc.property(
        fc.nat(key.length - 1),
        fc.string({ minLength: 1, maxLength: 1 }),
        (at, other) => {
          fc.pre(key[at] !== other);
          assert.equal(isKey(key.slice(0, at) + other + key.slice(at + 1)), false);
        },
      ),
    );
  });

  it('is refused when it is not a key at all', () => {
    for (const text of ['', 'trib_', `${mintKey()} `, `${mintKey()}\n`, mintKey().slice(1)]) {
      assert.equal(isKey(text), false);
    }
  });

  it('is stored as a digest, with its prefix and last digits', () => {
    const key = mintKey();
    const { sha256, prefix, last4 } = fingerprintOf(key);
    assert.match(sha256, /^[0-9a-f]{64}$/);
    assert.ok(key.startsWith(prefix) && key.endsWith(last4));
    assert.equal(prefix.length + last4.length, 13);
  });
});
