import { NONE } from '#domain/row-labels.ts';
import { showPath, storePath } from '#domain/visit/paths.ts';
import { displayNames } from './intl-forms.ts';

/** How codes are called in the reader's language. */
const NAMES: Readonly<Record<string, (value: string) => string>> = {
  'visit:country': nameCountry,
  'visit:language': nameLanguage,
  'visit:device': (value) =>
    value === 'tv' ? 'TV' : value.charAt(0).toUpperCase() + value.slice(1),
};

const PATHS = ['event:page', 'visit:entry_page', 'visit:exit_page', 'visit:referrer'];

/** Whether a dimension's values are paths or addresses. */
export function isPath(dimension: string): boolean {
  return PATHS.includes(dimension);
}

/** Whether a dimension's values are codes, which people see by their names. */
export function hasNames(dimension: string): boolean {
  return Object.hasOwn(NAMES, dimension);
}

/** A value as people see it: codes by their names in the reader's language, paths decoded, others as is. */
export function nameValue(dimension: string, value: string): string {
  if (isPath(dimension)) return showPath(value);
  return NAMES[dimension]?.(value) ?? value;
}

/** A row's name, and the code shown before it. */
type RowName = { readonly code?: string; readonly text: string };

/** A row's display name; countries with their code. */
export function nameRow(
  tab: { readonly dimension: string; readonly none?: string | undefined },
  value: string,
): RowName {
  if (value === NONE) return { text: tab.none ?? NONE };
  const text = nameValue(tab.dimension, value);
  return tab.dimension === 'visit:country' ? { code: value, text } : { text };
}

/** A filter for the values in which people find a text, in any case. */
export function toSearch(dimension: string, text: string): unknown[] {
  const codes = dimension === 'visit:country' ? findCountries(text) : [];
  if (codes.length > 0) return ['is', dimension, codes];
  const languages = dimension === 'visit:language' ? findLanguages(text) : [];
  if (languages.length > 0) return ['matches', dimension, [`^(${languages.join('|')})(-|$)`]];
  // The API knows no case of what is percent-encoded.
  const forms = [text, text.toLowerCase(), text.toUpperCase()].map(storePath);
  const texts = isPath(dimension) ? [...new Set([text, ...forms])] : [text];
  return ['contains', dimension, texts, { case_sensitive: false }];
}

/** Those of the codes whose name or code contains a text. */
export function findNamed(
  codes: readonly string[],
  dimension: string,
  text: string,
): readonly string[] {
  const wanted = text.toLowerCase();
  return codes.filter((code) =>
    [code, nameValue(dimension, code)].some((each) => each.toLowerCase().includes(wanted)),
  );
}

/** The value that a typed text stands for: the one that people see so, in any case, or the only one found. */
export function findMeant(
  dimension: string,
  typed: string,
  found: readonly string[],
): string | undefined {
  const wanted = typed.toLowerCase();
  const same = found.filter((value) =>
    [value, nameValue(dimension, value)].some((each) => each.toLowerCase() === wanted),
  );
  if (same.length > 0) return same.find((value) => value === typed) ?? same[0];
  return found.length === 1 ? found[0] : undefined;
}

/** A language's name: `de-AT` is `German (Austria)`. */
function nameLanguage(tag: string): string {
  try {
    return displayNames('language').of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The codes of the languages whose name contains a text. */
function findLanguages(text: string): readonly string[] {
  const wanted = text.toLowerCase();
  return twoLetterCodes().filter((code) => {
    const name = nameLanguage(code);
    return name !== code && name.toLowerCase().includes(wanted);
  });
}

/** How an event or a payment looks in lists of what happened. */
export function moodOf(type: string): 'quiet' | 'people' | 'good' | 'bad' {
  if (type === 'goal') return 'people';
  if (type === 'refund') return 'bad';
  return type === 'payment' ? 'good' : 'quiet';
}

/** A country's name in the user's language: `DE` is `Germany`; other values stay as they are. */
export function nameCountry(code: string): string {
  try {
    return displayNames('region').of(code) ?? code;
  } catch {
    return code;
  }
}

/** All codes of two small letters: languages, and with capitals countries. */
function twoLetterCodes(): readonly string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  return letters.flatMap((first) => letters.map((second) => first + second));
}

/** The codes of the countries whose name in the user's language, or code, contains a text. */
function findCountries(text: string): readonly string[] {
  const wanted = text.toLowerCase();
  const codes = twoLetterCodes().map((code) => code.toUpperCase());
  return codes.filter((code) => {
    const name = nameCountry(code);
    return name !== code && `${code} ${name}`.toLowerCase().includes(wanted);
  });
}

/** Tokens of user agents; the first match wins, as many name other browsers too. */
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const SYSTEMS = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** A browser in plain words, `Firefox on Windows`; other clients keep the name they send. */
export function nameBrowser(userAgent: string): string {
  const browser = BROWSERS.find(([mark]) => mark.test(userAgent))?.[1];
  const system = SYSTEMS.find(([mark]) => mark.test(userAgent))?.[1];
  if (browser === undefined) return userAgent === '' ? 'Unknown browser' : userAgent;
  return system === undefined ? browser : `${browser} on ${system}`;
}
