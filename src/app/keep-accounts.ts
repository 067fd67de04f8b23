import {
  type Accounts,
  type AccountsOptions,
  openAccounts,
  toOrigin,
} from '#accounts/open-accounts.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { isDamage } from '#storage/durable-database.ts';
import { isLost } from '#storage/is-lost.ts';

/** What it means that the file of logins cannot be used, and what to do. */
export const NO_LOGINS =
  'Nobody can sign in; everything else runs on. Restore the file of logins from a backup. Or, to begin with new logins, move it away and run "tributary admin link".';

const RETRY_AFTER_MS = 1_000;

/**
 * Opens the accounts of a server. While that fails, every call throws {@link UnavailableError} and tries again, so they
 * are back when the file is.
 *
 * - Why: events and keys need no logins. And a lost file is not replaced, because the first to open the start link of the
 *   new one would own the server.
 */
export async function keepAccounts(options: KeptAccountsOptions): Promise<Accounts> {
  const { besides, onUnreadable, ...more } = options;
  const { location, baseUrl, now = Date.now } = more;
  const mayCreate = !isLost(location, besides); // Decided before there are events.
  let opened: Accounts | undefined;
  let opening: Promise<void> | undefined;
  let retryAt = Number.NEGATIVE_INFINITY;
  let reason = '';

  async function tryToOpen(): Promise<void> {
    try {
      opened = await openAccounts({ ...more, mayCreate });
    } catch (error) {
      const { message } = error as Error;
      if (message !== reason) onUnreadable(message);
      reason = message;
      retryAt = now() + RETRY_AFTER_MS;
    }
  }

  async function open(): Promise<Accounts> {
    if (opened === undefined && now() >= retryAt) {
      opening ??= tryToOpen().finally(() => {
        opening = undefined;
      });
    }
    await opening;
    return find();
  }

  function find(): Accounts {
    if (opened === undefined) throw new UnavailableError('The logins cannot be read.', reason);
    return opened;
  }

  /** SQLite does not say which file is damaged. */
  function nameDamaged(error: unknown): never {
    const found = `The file of logins, ${location}, is damaged: ${(error as Error).message}`;
    if (isDamage(error) && found !== reason) onUnreadable(found);
    if (isDamage(error)) reason = found;
    throw error;
  }

  await open().catch(() => {});
  const own = { origin: toOrigin(baseUrl), close: async () => opened?.close() };
  return standInFor({ open, find, fail: nameDamaged }, own) as Accounts;
}

type KeptAccountsOptions = Omit<AccountsOptions, 'mayCreate'> & {
  readonly besides: Parameters<typeof isLost>[1];
  onUnreadable(reason: string): void;
};

type Kept = {
  readonly open: () => Promise<Accounts>;
  readonly find: () => Accounts;
  readonly fail: (error: unknown) => never;
};

/** What answers without a promise, and so cannot wait until the accounts are open. */
const AT_ONCE: readonly string[] = [
  'signInLimit',
  'takeMail',
  'knownBrowsers',
] satisfies (keyof Accounts)[];

/** Stands for accounts that may only be there when one of their functions is called, and may fail. */
function standInFor({ open, find, fail }: Kept, own: object): unknown {
  const partOf = (accounts: Accounts, path: readonly string[]) =>
    path.reduce((whole: object, name) => Reflect.get(whole, name), accounts) as (
      ...given: unknown[]
    ) => unknown;
  const partAt = (path: readonly string[]): unknown =>
    new Proxy(() => {}, {
      get: (_, name) => partAt([...path, String(name)]),
      apply: (_, __, given) =>
        AT_ONCE.includes(String(path[0]))
          ? partOf(find(), path)(...given)
          : open()
              .then((accounts) => partOf(accounts, path)(...given))
              .catch(fail),
    });
  return new Proxy(own, {
    get(_, name) {
      if (name === 'then') return undefined; // It is no promise.
      return name in own ? Reflect.get(own, name) : partAt([String(name)]);
    },
  });
}
