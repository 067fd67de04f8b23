const WITHOUT_NUMBER: Readonly<Record<string, string>> = { Kosovo: 'XK' };

/**
 * The two letters of a country that the map knows by its ISO 3166-1 number: `276` is `DE`.
 *
 * - Why not a table: canonical locales replace numbers of territories (UTS 35, section 3.2.1).
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

/** How strong the colour of a country is, from 0 to 1: by the root, as a few are far above the rest. */
export function toStrength(value: number, largest: number): number {
  return value > 0 && largest > 0 ? 0.15 + 0.85 * Math.sqrt(value / largest) : 0;
}
