/** Where an attempt comes from. */
export type TriedFrom = {
  readonly network: string;
  /** Whether many people may come from there, as from a proxy that tells nothing of them. */
  readonly isShared: boolean;
};

/** The account that an attempt is made at, and where it comes from. */
export type SignInTry = TriedFrom & { readonly account: string };

/** Browsers that somebody has signed in with before count apart from the network they are in. */
export const KNOWN_BROWSER: TriedFrom = { network: 'a known browser', isShared: true };

/** Where all attempts of a kind count together. */
export const ANYWHERE: TriedFrom = { network: 'anywhere', isShared: true };

/** Slows down password guessing. */
export interface SignInLimit {
  /** Returns how long to wait, or 0 if the attempt may go ahead. It counts as failed until it succeeds. */
  take(attempt: SignInTry): number;
  succeeded(attempt: SignInTry): void;
}

type Tries = { readonly failed: number; readonly lastAt: number };

/** Attempts without a wait: at one account from one network, and at many accounts from one that is not shared. */
type Limits = { readonly atOne: number; readonly atMany: number; readonly waitMaxMs: number };

const SIGN_INS: Limits = { atOne: 5, atMany: 20, waitMaxMs: 60_000 };
const MAILS: Limits = { atOne: 10, atMany: 60, waitMaxMs: 3_600_000 };
const FIRST_WAIT_MS = 1_000;
/** Failures are forgotten after an hour without a new one. */
const FORGOTTEN_AFTER_MS = 3_600_000;
const REMEMBERED_MAX = 20_000;

/**
 * After some failures, each further attempt waits twice as long as the previous one, up to a minute.
 *
 * - Whoever guesses slows down nobody else: attempts count by account and network together.
 * - Nobody is locked out permanently: one attempt a minute is always possible, an early attempt does not
 *   count, and a link from the command line can set a new password at any time.
 * - Why in memory: no IP address is stored, and a restart forgives only a few attempts.
 */
export function createSignInLimit(now: () => number, limits = SIGN_INS): SignInLimit {
  const tries = new Map<string, Tries>();

  function waitOf(name: string, free: number): number {
    const { failed, lastAt } = tries.get(name) ?? { failed: 0, lastAt: 0 };
    if (failed < free || now() - lastAt > FORGOTTEN_AFTER_MS) return 0;
    const waitMs = Math.min(limits.waitMaxMs, FIRST_WAIT_MS * 2 ** Math.min(failed - free, 20));
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

  const nameOf = ({ account, network }: SignInTry) => `${account} from ${network}`;

  return {
    take(attempt) {
      const { network, isShared } = attempt;
      const waitMs = Math.max(
        waitOf(nameOf(attempt), limits.atOne),
        isShared ? 0 : waitOf(network, limits.atMany),
      );
      if (waitMs > 0) return waitMs;
      count(nameOf(attempt));
      if (!isShared) count(network);
      return 0;
    },
    succeeded(attempt) {
      const { network } = attempt;
      tries.delete(nameOf(attempt));
      const seen = tries.get(network);
      if (seen !== undefined) tries.set(network, { ...seen, failed: seen.failed - 1 });
    },
  };
}

/** Limits mails likewise: those that an address gets, and those that a person sends. Returns how long to wait. */
export function createMailLimit(now: () => number): (to: string, by: string) => number {
  const { take } = createSignInLimit(now, MAILS);
  return (to, by) =>
    take({ account: to, ...ANYWHERE }) || take({ account: to, network: by, isShared: false });
}
