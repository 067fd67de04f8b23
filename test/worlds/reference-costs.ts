/** A cost of a world; a euro is 1.25 dollars on every day, and nobody knows what a won is worth. */
export type WorldCost = {
  readonly day: string;
  readonly source: string;
  readonly medium: string;
  readonly campaign: string;
  readonly channel: string;
  readonly amountMinor: bigint;
  readonly currency: 'EUR' | 'USD' | 'KRW';
};

/** What is asked: instants, the zone of the query, and the names of the rows. */
export type CostQuery = {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly timeZone: string;
  readonly dimensions: readonly string[];
};

/** What a row costs, and whether some of it has no rate. */
export type CostSum = { minor: bigint; isPartial: boolean };

/** Costs by the values of the dimensions, slow and obvious: straight from docs/metrics.md, "Spend". */
export function costsBy(
  costs: readonly WorldCost[],
  { startsAt, endsAt, timeZone, dimensions }: CostQuery,
): Map<string, CostSum> {
  const sums = new Map<string, CostSum>();
  for (const cost of costs) {
    const beginsAt = Temporal.PlainDate.from(cost.day).toZonedDateTime(timeZone).epochMilliseconds;
    if (beginsAt < startsAt || beginsAt >= endsAt) continue;
    const key = dimensions.map((dimension) => toLabel(cost, dimension)).join(' | ');
    const sum = sums.get(key) ?? { minor: 0n, isPartial: false };
    sums.set(key, sum);
    sum.minor += toEuros(cost);
    sum.isPartial ||= cost.currency === 'KRW' && cost.amountMinor > 0n;
  }
  return sums;
}

function toLabel(cost: WorldCost, dimension: string): string {
  const day = Temporal.PlainDate.from(cost.day);
  switch (dimension) {
    case 'visit:source':
    case 'visitor:first_source':
      return cost.source;
    case 'visit:medium':
      return cost.medium || '(none)';
    case 'visit:campaign':
      return cost.campaign || '(none)';
    case 'visit:channel':
      return cost.channel;
    case 'time:day':
      return cost.day;
    case 'time:week':
      return day.subtract({ days: day.dayOfWeek - 1 }).toString();
    case 'time:month':
      return day.with({ day: 1 }).toString();
  }
  throw new Error(`costs have no ${dimension}`);
}

function toEuros({ amountMinor, currency }: WorldCost): bigint {
  if (currency === 'KRW') return 0n;
  return currency === 'EUR' ? amountMinor : (8n * amountMinor + 5n) / 10n;
}

/** A ratio to so many decimals, halves away from zero; null without anything to divide by. */
export function ratioOf(over: bigint, under: bigint, decimals: number): string | null {
  if (under === 0n) return null;
  const scale = 10n ** BigInt(decimals);
  const size = over < 0n ? -over : over;
  return toDecimal((over < 0n ? -1n : 1n) * ((2n * size * scale + under) / (2n * under)), decimals);
}

/** A whole number of parts as a decimal: 1234 hundredths are 12.34. */
export function toDecimal(parts: bigint, decimals: number): string {
  const digits = `${parts < 0n ? -parts : parts}`.padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  return `${parts < 0n ? '-' : ''}${digits.slice(0, cut)}${decimals > 0 ? '.' : ''}${digits.slice(cut)}`;
}
