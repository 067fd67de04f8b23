/** What a shared link sends with its requests: the token of its address, or what its password opened. */
let opened: string | undefined;

const KEY = 'share';

/** The credential of the shared link that the page is of; nothing on other pages. */
export function shareCredential(): string | undefined {
  const [, token] = /^\/share\/([\w-]+)/.exec(location.pathname) ?? [];
  if (token === undefined) return undefined;
  const kept = opened ?? stored((storage) => storage.getItem(KEY)) ?? '';
  return kept.startsWith(`${token}.`) ? kept : token;
}

/** Keeps what a password opened, for this tab. */
export function keepShareCredential(credential: string): void {
  opened = credential;
  stored((storage) => storage.setItem(KEY, credential));
}

/** Frames in pages of others may have no storage. */
function stored<Value>(use: (storage: Storage) => Value): Value | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
