/** What a shared link's requests carry: the token from its URL, or what its password unlocked. */
let opened: string | undefined;

const KEY = 'share';

/** The credential of the page's shared link; undefined on other pages. */
export function shareCredential(): string | undefined {
  const [, token] = /^\/share\/([\w-]+)/.exec(location.pathname) ?? [];
  if (token === undefined) return undefined;
  const kept = opened ?? stored((storage) => storage.getItem(KEY)) ?? '';
  return kept.startsWith(`${token}.`) ? kept : token;
}

/** Stores, per tab, what a password unlocked. */
export function keepShareCredential(credential: string): void {
  opened = credential;
  stored((storage) => storage.setItem(KEY, credential));
}

/** Frames in third-party pages may lack storage. */
function stored<Value>(use: (storage: Storage) => Value): Value | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
