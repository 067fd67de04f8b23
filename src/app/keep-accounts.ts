import { toOrigin } from '#accounts/logins.ts';
import { type Accounts, type AccountsOptions, openAccounts } from '#accounts/open-accounts.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { isLost } from '#storage/is-lost.ts';

/** What it means that the file of logins cannot be used, and what to do. */
export const NO_LOGINS =
  'Nobody can sign in; everything else runs on. Restore the file of logins from a backup. Or, to begin with new logins, move it away and run "tributary admin link".';

const RETRY_AFTER_MS = 1_000;

/**
 * Opens the accounts of a server. While that fails, whatever is asked of them throws {@link UnavailableError}, and tries
 * again: they are back when the file is.
 *
 * - Why: events and keys need no logins. And a lost file is not replaced, because whoever opened the first link of the
 *   new one would own the server.
 */
export function keepAccounts({ besides, onUnreadable, ...options }: KeptAccountsOptions): Accounts {
  const { path, baseUrl, now = Date.now } = options;
  const mayCreate = !isLost(path, besides); // Decided before there are events.
  let opened: Accounts | undefined;
  let retryAt = Number.NEGATIVE_INFINITY;
  let reason = '';

  function open(): Accounts {
    try {
      if (now() >= retryAt) opened ??= openAccounts({ ...options, mayCreate });
    } catch (error) {
      const { message } = error as Error;
      if (message !== reason) onUnreadable(message);
      reason = message;
      retryAt = now() + RETRY_AFTER_MS;
    }
    if (opened === undefined) throw new UnavailableError('The logins cannot be read.', reason);
    return opened;
  }

  try {
    return open();
  } catch {
    const own = { origin: toOrigin(baseUrl), close: () => opened?.close() };
    return standInFor(open, own) as Accounts;
  }
}

type KeptAccountsOptions = Omit<AccountsOptions, 'mayCreate'> & {
  readonly besides: Parameters<typeof isLost>[1];
  onUnreadable(reason: string): void;
};

/** Stands for an object, or a part of it by its path, that is only there when one of its functions is called. */
function standInFor(find: () => object, own: object = () => {}): unknown {
  return new Proxy(own, {
    get: (_, name) =>
      name in own ? Reflect.get(own, name) : standInFor(() => Reflect.get(find(), name)),
    apply: (_, __, given) => (find() as (...given: unknown[]) => unknown)(...given),
  });
}
