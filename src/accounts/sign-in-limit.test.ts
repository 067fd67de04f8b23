import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MINUTE_MS } from '#domain/time/durations.ts';
import { createSignInLimit } from './sign-in-limit.ts';

describe('the limit of tries to sign in', () => {
  const tryAt = (account: string, network: string) => ({ account, network, isShared: false });

  it('lets five tries at an account pass, then each waits twice as long, up to a minute', () => {
    let now = 0;
    const limit = createSignInLimit(() => now);
    const attempt = tryAt('a@example.com', '1');
    const waits = Array.from({ length: 14 }, () => {
      const waitMs = limit.take(attempt);
      now += waitMs;
      if (waitMs > 0) assert.equal(limit.take(attempt), 0);
      return waitMs / 1_000;
    });
    assert.deepEqual(waits, [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('slows nobody else at the account that a stranger guesses at', () => {
    let now = 0;
    const limit = createSignInLimit(() => now);
    for (let tries = 0; tries < 10_000; tries += 1) {
      limit.take(tryAt('a@example.com', `${tries % 100}`));
      now += 500;
    }
    assert.equal(limit.take(tryAt('a@example.com', 'home')), 0);
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

  it('slows no network that many people share, as behind a proxy that is not trusted', () => {
    const limit = createSignInLimit(() => 0);
    const shared = (account: string) => ({ account, network: '1', isShared: true });
    for (let tries = 0; tries < 200; tries += 1) limit.take(shared(`${tries}@example.com`));
    assert.equal(limit.take(shared('new@example.com')), 0);
    for (let tries = 0; tries < 5; tries += 1) limit.take(shared('old@example.com'));
    assert.ok(limit.take(shared('old@example.com')) > 0);
  });

  describe('when nothing proves where guesses come from', () => {
    const ACCOUNT = 'a@example.com';
    const KINDS = [
      ['behind a proxy that says nothing', () => ({ network: '1', isShared: true })],
      [
        'with an address of their own each',
        (at: number) => ({ network: `${at}`, isShared: false }),
      ],
    ] as const;
    for (const [how, from] of KINDS) {
      const tryWith = (password: string, at: number) => {
        return { account: ACCOUNT, password, ...from(at), isUnproved: true };
      };

      it(`lets guesses pass once a second, ${how}`, () => {
        let now = 0;
        const limit = createSignInLimit(() => now);
        let passed = 0;
        for (let tries = 0; tries < 2_000; tries += 1) {
          if (limit.take(tryWith(`guess ${tries}`, tries)) === 0) passed += 1;
          now += 50;
        }
        assert.ok(passed >= 100 && passed <= 105, `${passed}`);
      });

      it(`lets in who types a password again while others guess, ${how}`, () => {
        let now = 0;
        const limit = createSignInLimit(() => now);
        let guessed = 0;
        const guess = () => {
          guessed += 1;
          limit.take(tryWith(`guess ${guessed}`, guessed));
          now += 10;
        };
        for (let user = 0; user < 10; user += 1) {
          for (let tries = 0; tries < 500; tries += 1) guess();
          const waits = Array.from({ length: 3 }, (_, at) => {
            for (let tries = 0; tries < 100; tries += 1) guess();
            return limit.take(tryWith('the right one', -1 - user * 3 - at));
          });
          assert.ok(waits.includes(0), `${waits}`);
        }
      });

      it(`forgets no refusal by counting a password twice, ${how}`, () => {
        let now = 0;
        const limit = createSignInLimit(() => now);
        let passed = 0;
        for (let tries = 0; tries < 2_000; tries += 1) {
          if (limit.take(tryWith(`guess ${Math.floor(tries / 4)}`, tries)) === 0) passed += 1;
          now += 50;
        }
        assert.ok(passed <= 130, `${passed}`);
      });
    }
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
