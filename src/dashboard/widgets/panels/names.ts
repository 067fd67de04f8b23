import { nameValue } from '../../format/values.ts';
import type { Tab } from './tabs.ts';

/** A row's name, and the code shown before it. */
export type RowName = { readonly code?: string; readonly text: string };

const NONE = '(none)';

/** A row's display name; countries with their code. */
export function nameRow(
  tab: Pick<Tab, 'dimension' | 'none'>,
  value: string,
  locale?: string,
): RowName {
  if (value === NONE) return { text: tab.none ?? NONE };
  const text = nameValue(tab.dimension, value, locale);
  return tab.dimension === 'visit:country' ? { code: value, text } : { text };
}
