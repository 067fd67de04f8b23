import { usePathname } from 'wouter/use-browser-location';
import { decodePercent } from '#domain/decode-percent.ts';

/** The last part of the URL's path, such as a payment's id, decoded once. The router's own hook decodes some signs. */
export function useLastPart(): string {
  return decodePercent(usePathname().replace(/\/+$/, '').split('/').at(-1) ?? '');
}
