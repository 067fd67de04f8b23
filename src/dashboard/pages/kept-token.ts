import { ApiError, request } from '../api/api.ts';

/** The token from the URL, or the one stored under the name while the user signs in. */
export function takeKeptToken(name: string): string {
  const token = takeToken();
  if (token !== '') sessionStorage.setItem(name, token);
  return token === '' ? (sessionStorage.getItem(name) ?? '') : token;
}

/** Forgets a token that was used. */
export function forgetToken(name: string): void {
  sessionStorage.removeItem(name);
}

/**
 * The token behind `#`: it never reaches a server's log, and leaves the URL at once. The tab's history entry keeps it,
 * so that a reload still has it.
 */
export function takeToken(): string {
  const token = location.hash.slice(1);
  if (token !== '') history.replaceState({ token }, '', location.pathname);
  return (history.state as { readonly token?: string } | null)?.token ?? '';
}

/** The API checks the link before the rest, so an empty password changes nothing and uses nothing up. */
export async function isLinkValid(
  path: string,
  body: { readonly token: string; readonly password: '' },
  signal: AbortSignal,
): Promise<boolean> {
  const error = await request(path, { body, signal }).catch((each: unknown) => each);
  if (!(error instanceof ApiError) || error.type !== 'invalid_request') throw error;
  return error.details.every(({ path }) => path !== '/token');
}
