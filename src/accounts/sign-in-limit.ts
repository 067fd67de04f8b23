import type { KnownBrowsers } from './cookies.ts';

/** The account and the network that an attempt is counted by. */
export type SignInTry = { readonly account: string; readonly network: string };

/** Slows down password guessing. */
export interface SignInLimit {
  /** Returns how long to wait, or 0 if the attempt may go ahead. It counts as failed until it succeeds. */
  take(attempt: SignInTry): number;
  succeeded(attempt: SignInTry): void;
}

type Tries = { readonly failed: number; readonly lastAt: number };

const FREE_TRIES = { account: 5, network: 20 } as const;
const FIRST_WAIT_MS = 1_000;
const WAIT_MAX_MS = 60_000;
/** Failures are forgotten after an hour without a new one. */
const FORGOTTEN_AFTER_MS = 3_600_000;
const REMEMBERED_MAX = 20_000;

/**
 * After some failures, each further attempt waits twice as long as the previous one, up to a minute.
 *
 * - Nobody is locked out permanently: one attempt a minute is always possible, an early attempt does not
 *   count, and a link from the command line can set a new password at any time.
 * - Why in memory: no IP address is stored, and a restart forgives only a few attempts.
 */
export function createSignInLimit(now: () => number): SignInLimit {
  const tries = new Map<string, Tries>();

  function waitOf(name: string, free: number): number {
    const { failed, lastAt } = tries.get(name) ?? { failed: 0, lastAt: 0 };
    if (failed < free || now() - lastAt > FORGOTTEN_AFTER_MS) return 0;
    const waitMs = Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** Math.min(failed - free, 20));
    return Math.max(0, lastAt + waitMs - now());
  }

  function count(name: string): void {
    const { failed, lastAt } = tries.get(name) ?? { failed: 0, lastAt: 0 };
    const isOld = now() - lastAt > FORGOTTEN_AFTER_MS;
    tries.delete(name); // Keeps the map ordered, oldest first.
    tries.set(name, { failed: isOld ? 1 : failed + 1, lastAt: now() });
    if (tries.size <= REMEMBERED_MAX) return;
    for (const oldest of tries.keys()) {
      tries.delete(oldest);
      return;
    }
  }

  return {
    take({ account, network }) {
      const names = { account: `account ${account}`, network: `network ${network}` };
      const waitMs = Math.max(
        waitOf(names.account, FREE_TRIES.account),
        waitOf(names.network, FREE_TRIES.network),
      );
      if (waitMs > 0) return waitMs;
      count(names.account);
      count(names.network);
      return 0;
    },
    succeeded({ account, network }) {
      tries.delete(`account ${account}`);
      const seen = tries.get(`network ${network}`);
      if (seen !== undefined) tries.set(`network ${network}`, { ...seen, failed: seen.failed - 1 });
    },
  };
}

/**
 * The key that attempts are counted by: the account. Browsers that have signed in there before count
 * separately, so that guesses from elsewhere do not slow down the account's owner. A code without an
 * account counts by network.
 */
export function toTriedAccount(
  knownBrowsers: KnownBrowsers,
  cookie: string | undefined,
  email: string,
  network: string,
): string {
  if (email === '') return `of nobody at ${network}`;
  return knownBrowsers.isKnown(cookie, email) ? `${email} at a known browser` : email;
}
