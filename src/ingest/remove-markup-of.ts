import { removeMarkup } from './remove-markup.ts';

/** Properties with the markup of their values removed; the same object when there was none. */
export function removeMarkupOf(
  properties: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  for (const name in properties) {
    if (properties[name]?.includes('<')) return removeFromAll(properties);
  }
  return properties;
}

/** Made of entries, as a property may be called `__proto__`. */
function removeFromAll(properties: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, removeMarkup(value)]),
  );
}
