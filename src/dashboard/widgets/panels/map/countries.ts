const WITHOUT_NUMBER: Readonly<Record<string, string>> = { Kosovo: 'XK' };

/**
 * A country's two-letter code, from its ISO 3166-1 number on the map: `276` is `DE`.
 *
 * - Why no table: canonical locales replace territory numbers (UTS 35, section 3.2.1).
 */
export function toCode(number: string | undefined, name: string): string | undefined {
  if (number === undefined) return WITHOUT_NUMBER[name];
  try {
    const { region } = new Intl.Locale(`und-${number}`);
    return region !== undefined && /^[A-Z]{2}$/.test(region) ? region : undefined;
  } catch {
    return undefined;
  }
}

/** A country's colour strength, from 0 to 1: by the root, as a few outweigh all others. */
export function toStrength(value: number, largest: number): number {
  return value > 0 && largest > 0 ? 0.15 + 0.85 * Math.sqrt(value / largest) : 0;
}
