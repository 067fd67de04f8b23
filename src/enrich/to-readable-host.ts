import { domainToUnicode } from 'node:url';

/** Letters of two scripts in one name, as nobody writes who does not pretend to be another. */
const MIXED =
  /\p{Script=Latin}.*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}].*\p{Script=Latin}/u;
/** Cyrillic letters that look like Latin ones, and nothing else. */
const DISGUISED = /^[асԁеһіјӏорԛѕԝху-]+$/u;

/**
 * A host as people write it: `bücher.example` for `xn--bcher-kva.example`.
 *
 * - Shape: as it is sent where it has no such name, or one that passes for another.
 */
export function toReadableHost(host: string): string {
  if (!/(?:^|\.)xn--/i.test(host)) return host;
  const written = domainToUnicode(host);
  if (written === '') return host;
  const isPretence = written.split('.').some((label) => MIXED.test(label) || DISGUISED.test(label));
  return isPretence ? host : written;
}
