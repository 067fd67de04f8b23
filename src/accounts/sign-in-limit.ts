import { createHmac, randomBytes } from 'node:crypto';
import { ANYWHERE, type SignInTry } from '#domain/account/sign-in-try.ts';

type Tries = { readonly failed: number; readonly lastAt: number };

/** What an attempt counts by, how many of them wait for nothing, and how long each further one waits at most. */
type Lane = { readonly name: string; readonly free: number; readonly waitMaxMs: number };

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
 * - Guessing slows down nobody else: attempts count by account and network together.
 * - Attempts from an unverified origin also count by account alone, and wait a second each. The owner and an attacker
 *   look the same there, but the owner types the same password again when refused, while guesses differ: each refusal
 *   of a password lets it go ahead of one other. Attempts average one a second. A flood of N a second delays the owner
 *   by two tries, or by N if it repeats each guess N times.
 * - Nobody is locked out permanently: one attempt a minute is always possible, an early attempt does not
 *   count, and a link from the command line can set a new password at any time.
 * - Why in memory: no IP address is stored, and a restart forgives only a few attempts.
 */
export function createSignInLimit(now: () => number, limits = SIGN_INS) {
  const tries = new Map<string, Tries>();
  const refused = new Map<string, Tries>();
  const key = randomBytes(32);

  function find(map: ReadonlyMap<string, Tries>, name: string): Tries {
    const { failed, lastAt } = map.get(name) ?? { failed: 0, lastAt: 0 };
    return { failed: now() - lastAt > FORGOTTEN_AFTER_MS ? 0 : failed, lastAt };
  }

  /** When the next attempt may follow. */
  function nextAt({ name, free, waitMaxMs }: Lane): number {
    const { failed, lastAt } = find(tries, name);
    const waitMs = Math.min(waitMaxMs, FIRST_WAIT_MS * 2 ** Math.min(failed - free, 20));
    return failed < free ? now() : Math.max(now(), lastAt + waitMs);
  }

  function count(map: Map<string, Tries>, name: string, lastAt: number): void {
    const { failed } = find(map, name);
    map.delete(name); // Keeps the map ordered, oldest first.
    map.set(name, { failed: failed + 1, lastAt });
    if (map.size > REMEMBERED_MAX) map.delete(map.keys().next().value ?? '');
  }

  function lanesOf({ account, network, isShared, isUnproved = false }: SignInTry): Lane[] {
    const { atOne, atMany, waitMaxMs } = limits;
    const lanes = [
      isUnproved && { name: account, free: atOne, waitMaxMs: FIRST_WAIT_MS },
      !(isUnproved && isShared) && { name: `${account} from ${network}`, free: atOne, waitMaxMs },
      !isShared && { name: network, free: atMany, waitMaxMs },
    ];
    return lanes.filter((lane) => lane !== false);
  }

  return {
    take(attempt: SignInTry): number {
      const { account, password, isUnproved = false } = attempt;
      const word = createHmac('sha256', key).update(`${account} ${password}`).digest('base64');
      const aheadMs = password === undefined ? 0 : find(refused, word).failed * FIRST_WAIT_MS;
      const lanes = lanesOf(attempt);
      const ahead = (lane: Lane) => (lane.name === account ? aheadMs : 0);
      const waitMs = Math.max(...lanes.map((lane) => nextAt(lane) - now() - ahead(lane)));
      if (waitMs > 0 && isUnproved) count(refused, word, now());
      if (waitMs > 0) return waitMs;
      for (const lane of lanes) count(tries, lane.name, nextAt(lane));
      refused.delete(word);
      return 0;
    },
    succeeded(attempt: SignInTry): void {
      for (const { name } of lanesOf(attempt)) {
        const seen = tries.get(name);
        tries.delete(name);
        if (seen && name === attempt.network) tries.set(name, { ...seen, failed: seen.failed - 1 });
      }
    },
  };
}

/** Limits mails likewise: those that an address gets, and those that a user sends. Returns how long to wait. */
export function createMailLimit(now: () => number): (to: string, by: string) => number {
  const { take } = createSignInLimit(now, MAILS);
  return (to, by) =>
    take({ account: to, ...ANYWHERE }) || take({ account: to, network: by, isShared: false });
}
