import { usePathname } from 'wouter/use-browser-location';
import { decodePercent } from '#domain/decode-percent.ts';
import { nameTurns } from './name-turns.ts';

/** The parameters with texts by name; empty ones are left out. */
export function withTexts(
  params: URLSearchParams,
  texts: Readonly<Record<string, string>>,
): URLSearchParams {
  const changed = new URLSearchParams(params);
  for (const [name, text] of Object.entries(texts)) {
    if (text === '') changed.delete(name);
    else changed.set(name, text);
  }
  return changed;
}

/** The last part of the URL's path, such as a payment's id, decoded once. The router's own hook decodes some signs. */
export function useLastPart(): string {
  return nameTurns(decodePercent(usePathname().replace(/\/+$/, '').split('/').at(-1) ?? ''));
}
