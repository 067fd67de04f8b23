import { domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import type { SourceNames } from '#domain/acquisition/acquisition.ts';
import { SOURCE_KINDS, type SourceKind } from '#domain/acquisition/channels/channel-facts.ts';
import { readFactTable, splitCell } from './fact-table.ts';

const APP_SCHEME = 'android-app://';

/**
 * Loads the display names from `data/source-names.csv`.
 *
 * - Shape: a host outside the table is named by its registrable domain, in its native script. Customer
 *   subdomains (`ada.github.io`) are separate sources. A webmail host outside the table is a source of
 *   kind `email`, named by the full host.
 * - Throws if the table is missing or malformed.
 */
export function loadSourceNames(): SourceNames {
  const brands = readFactTable('source-names.csv', ['name', 'kind', 'hosts', 'tags']);
  const namesByHost = new Map<string, string>();
  const namesByTag = new Map<string, string>();
  const kindsByName = new Map<string, SourceKind>();
  for (const { name, kind, hosts, tags } of brands) {
    kindsByName.set(name, SOURCE_KINDS.find((known) => known === kind) ?? '');
    namesByTag.set(name.toLowerCase(), name);
    for (const host of splitCell(hosts)) namesByHost.set(host, name);
    for (const tag of splitCell(tags)) namesByTag.set(tag, name);
  }
  for (const [host, name] of namesByHost) {
    const firstLabel = host.split('.', 1)[0] ?? '';
    if (firstLabel === name.toLowerCase()) namesByTag.set(firstLabel, name);
  }

  const kindOf = (source: string): SourceKind =>
    kindsByName.get(source) ?? (isWebmail(source) ? 'email' : '');
  const nameHost = (host: string): string => {
    if (host === '') return '';
    if (host.startsWith(APP_SCHEME)) return namesByHost.get(host) ?? host.slice(APP_SCHEME.length);
    const brand = findBrand(host, namesByHost);
    if (isWebmail(host) && kindOf(brand ?? '') !== 'email') return toReadableHost(host);
    return brand ?? toReadableHost(parse(host, { allowPrivateDomains: true }).domain ?? host);
  };
  const nameTag = (tag: string): string => {
    const key = tag.toLowerCase();
    return (
      namesByTag.get(key) ??
      findBrand(key.replace(/^www\./, ''), namesByHost) ??
      toReadableHost(tag)
    );
  };
  return { nameHost, nameTag, kindOf };
}

/** Host labels that webmail is commonly served under. */
const WEBMAIL =
  /^(?:(?:e-)?\w*mail\d{0,2}\w?|owa|zimbra|roundcube|messagerie|poczta|posta|correo)$/;

/** Whether a host looks like webmail, such as `webmail.school.example`. */
function isWebmail(host: string): boolean {
  if (!/mail|owa|zimbra|roundcube|messagerie|poczta|posta|correo/.test(host)) return false;
  const { subdomain } = parse(host, { allowPrivateDomains: true });
  return subdomain?.split('.').some((label) => WEBMAIL.test(label)) === true;
}

/** The longest match: the whole host first, then without its leading labels; `google.de` before `google.*`. */
function findBrand(host: string, namesByHost: ReadonlyMap<string, string>): string | undefined {
  const { publicSuffix } = parse(host);
  if (!publicSuffix) return undefined;
  const labels = host.slice(0, -publicSuffix.length - 1).split('.');
  for (let skipped = 0; skipped < labels.length; skipped++) {
    const rest = labels.slice(skipped).join('.');
    const name = namesByHost.get(`${rest}.${publicSuffix}`) ?? namesByHost.get(`${rest}.*`);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** A label that mixes scripts, which is typical of homograph attacks. */
const MIXED =
  /\p{Script=Latin}.*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}].*\p{Script=Latin}/u;
/** A label of only Cyrillic letters that look like Latin ones. */
const DISGUISED = /^[асԁеһіјӏорԛѕԝху-]+$/u;

/**
 * Decodes Punycode: `xn--bcher-kva.example` becomes `bücher.example`.
 *
 * - Shape: unchanged if it is not valid Punycode, or if the decoded name imitates another one.
 */
function toReadableHost(host: string): string {
  if (!/(?:^|\.)xn--/i.test(host)) return host;
  const written = domainToUnicode(host);
  if (written === '') return host;
  const isHomograph = written
    .split('.')
    .some((label) => MIXED.test(label) || DISGUISED.test(label));
  return isHomograph ? host : written;
}
