import { takeToken } from './start.tsx';

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
