import { DAY_MS } from '#domain/time/durations.ts';
import { type Check, toCount } from './count.ts';

/** SQL for the UTC day of an instant, numbered as by {@link toDay}. */
export const dayOf = (instant: string) =>
  `toInt64(floor(toUnixTimestamp64Milli(${instant}) / ${DAY_MS}))`;

/** The UTC day of an instant, in days since 1970. */
export function toDay(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** Records of one type, on one site; for money, in one currency. */
type Series = { readonly siteId: string; readonly type: string; readonly currency?: string };

/** The number of records, and the sum of their amounts in minor units or of their ids. */
export type Summed = { rows: number; sum: bigint };

/** The sums from archive or ledger, and from the warehouse. */
export type Sides = Readonly<Record<'expected' | 'found', Summed>>;

/** Sums records by series and day, for both sides of a comparison. */
export function createDailySums() {
  const daysBySeries = new Map<
    string,
    { readonly of: Series; readonly days: Map<number, Sides> }
  >();

  function add(side: keyof Sides, of: Series, day: number, summed: Summed): void {
    const key = `${of.type} ${of.currency} ${of.siteId}`;
    const { days } = daysBySeries.getOrInsertComputed(key, () => ({ of, days: new Map() }));
    addTo(days.getOrInsertComputed(day, createSides)[side], summed);
  }

  /** The counts of each series, and of each day that differs. */
  function toCounts(
    domains: ReadonlyMap<string, string>,
    toWhat: (of: Omit<Series, 'siteId'> & { readonly site: string }) => string,
  ): Check[] {
    return [...daysBySeries.values()]
      .map(({ of: { siteId, ...of }, days }) => {
        const counted = { ...of, site: domains.get(siteId) ?? siteId };
        return { what: toWhat(counted), counted, days };
      })
      .toSorted((a, b) => (a.what < b.what ? -1 : 1))
      .flatMap(({ what, counted, days }) => {
        const sumOf = counted.currency === undefined ? 'of their ids' : 'in minor units';
        const total = createSides();
        const ofDays = [...days]
          .toSorted(([a], [b]) => a - b)
          .flatMap(([number, sides]) => {
            addTo(total.expected, sides.expected);
            addTo(total.found, sides.found);
            const day = new Date(number * DAY_MS).toISOString().slice(0, 10);
            return compareSums(what, sides, sumOf, `, on ${day}`)
              .filter(({ agrees }) => !agrees)
              .map((count) => ({ ...count, ...counted, day }));
          });
        const ofAll = compareSums(what, total, sumOf);
        return [...ofAll.map((count) => ({ ...count, ...counted })), ...ofDays];
      });
  }

  return { add, toCounts };
}

function createSides(): Sides {
  return { expected: { rows: 0, sum: 0n }, found: { rows: 0, sum: 0n } };
}

function addTo(total: Summed, { rows, sum }: Summed): void {
  total.rows += rows;
  total.sum += sum;
}

/**
 * Compares counts, and sums of money. Sums of ids or hashes (64 bits) are included only if they
 * differ although the counts agree.
 */
export function compareSums(
  what: string,
  { expected, found }: Sides,
  sumOf: 'in minor units' | 'of their ids' | 'of their hashes',
  when = '',
): Check[] {
  const rows = toCount(`${what}${when}`, expected.rows, found.rows);
  const isMoney = sumOf === 'in minor units';
  const toSum = ({ sum }: Summed) => (isMoney ? sum : BigInt.asUintN(64, sum));
  const sums = toCount(`${what}, sum ${sumOf}${when}`, toSum(expected), toSum(found));
  return !isMoney && (sums.agrees || !rows.agrees) ? [rows] : [rows, sums];
}
