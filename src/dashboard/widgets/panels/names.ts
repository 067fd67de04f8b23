import { nameCountry } from '../../format/countries.ts';
import type { Tab } from './tabs.ts';

/** A row's name, and the code shown before it. */
export type RowName = { readonly code?: string; readonly text: string };

const NONE = '(none)';

/** A row's display name: countries in the user's language, the rest as is. */
export function nameRow(
  tab: Pick<Tab, 'dimension' | 'none'>,
  value: string,
  locale?: string,
): RowName {
  if (value === NONE) return { text: tab.none ?? NONE };
  if (tab.dimension === 'visit:country') return { code: value, text: nameCountry(value, locale) };
  if (tab.dimension === 'visit:device') return { text: nameDevice(value) };
  return { text: value };
}

/** The display name of a device: `Tablet` for `tablet`. */
export function nameDevice(value: string): string {
  return DEVICES[value] ?? value;
}

const DEVICES: Readonly<Record<string, string>> = {
  desktop: 'Desktop',
  mobile: 'Mobile',
  tablet: 'Tablet',
  tv: 'TV',
};
