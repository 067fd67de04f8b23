import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSignInLimit } from './sign-in-limit.ts';

const MINUTE_MS = 60_000;

describe('the limit of tries to sign in', () => {
  const tryAt = (account: string, network: string) => ({ account, network });

  it('lets five tries at an account pass, then each waits twice as long, up to a minute', () => {
    let now = 0;
    const limit = createSignInLimit(() => now);
    const waits = Array.from({ length: 14 }, (_, network) => {
      const waitMs = limit.take(tryAt('a@example.com', `${network}`));
      now += waitMs;
      if (waitMs > 0) assert.equal(limit.take(tryAt('a@example.com', `${network}`)), 0);
      return waitMs / 1_000;
    });
    assert.deepEqual(waits, [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('does not count a try that came too early, so that the wait ends', () => {
    let now = 0;
    const limit = createSignInLimit(() => now);
    const attempt = tryAt('a@example.com', '1');
    for (let tries = 0; tries < 1_000; tries += 1) limit.take(attempt);
    now += MINUTE_MS;
    assert.equal(limit.take(attempt), 0);
  });

  it('slows a network that tries many accounts, and no other network', () => {
    const limit = createSignInLimit(() => 0);
    for (let tries = 0; tries < 20; tries += 1) limit.take(tryAt(`${tries}@example.com`, '1'));
    assert.ok(limit.take(tryAt('new@example.com', '1')) > 0);
    assert.equal(limit.take(tryAt('new@example.com', '2')), 0);
  });

  it('forgives what a success follows, and everything after an hour', () => {
    let now = 0;
    const limit = createSignInLimit(() => now);
    const attempt = tryAt('a@example.com', '1');
    for (let tries = 0; tries < 5; tries += 1) limit.take(attempt);
    assert.ok(limit.take(attempt) > 0);
    limit.succeeded(attempt);
    assert.equal(limit.take(attempt), 0);
    for (let tries = 0; tries < 5; tries += 1) limit.take(attempt);
    now += 61 * MINUTE_MS;
    assert.equal(limit.take(attempt), 0);
  });
});
