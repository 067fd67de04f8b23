import type { Tab } from './tabs.ts';

/** What a row is called, and the code before it. */
export type RowName = { readonly code?: string; readonly text: string };

const NONE = '(none)';
const regionNames = new Map<string, Intl.DisplayNames>();

/** What a row of a tab is called: countries in the reader's language, the rest as it is. */
export function nameRow(
  tab: Pick<Tab, 'dimension' | 'none'>,
  value: string,
  locale?: string,
): RowName {
  if (value === NONE) return { text: tab.none ?? NONE };
  if (tab.dimension === 'visit:country') return { code: value, text: nameCountry(value, locale) };
  if (tab.dimension === 'visit:device') return { text: DEVICES[value] ?? value };
  return { text: value };
}

/** A country's name in the reader's language: `DE` is `Germany`; what is no code stays. */
export function nameCountry(code: string, locale?: string): string {
  const key = locale ?? '';
  const names = regionNames.get(key) ?? new Intl.DisplayNames(locale, { type: 'region' });
  regionNames.set(key, names);
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

const DEVICES: Readonly<Record<string, string>> = {
  desktop: 'Desktop',
  mobile: 'Mobile',
  tablet: 'Tablet',
  tv: 'TV',
};
