import { type Count, type Counted, toCount } from './count.ts';

const DAY_MS = 86_400_000;

/** SQL of the day in UTC of an instant, as {@link toDay} numbers it. */
export const dayOf = (instant: string) =>
  `toInt64(floor(toUnixTimestamp64Milli(${instant}) / ${DAY_MS}))`;

/** The day in UTC of an instant, in days since 1970. */
export function toDay(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** Where records are counted. */
export type Side = 'expected' | 'found';

/** Records of one type of one site; `what` says so in words. */
export type Series = Omit<Counted, 'day' | 'currency'> & {
  readonly what: string;
  readonly currency?: string;
};

/** What the sum of each day is, and whether it only serves to find records that were exchanged. */
export type SumName = { readonly named: string; readonly isChecksum: boolean };

type Sums = Record<Side, { rows: number; sum: bigint }>;

/** Counts records by series and day, and a sum of each day's, on both sides. */
export function createDailySums() {
  const seriesByName = new Map<string, Map<number, Sums>>();

  function add(side: Side, series: string, day: number, rows: number, sum: bigint): void {
    const days = seriesByName.getOrInsertComputed(series, () => new Map<number, Sums>());
    addTo(days.getOrInsertComputed(day, createSums)[side], { rows, sum });
  }

  /** The counts of a series, and of each day that differs; without one that has no description. */
  function toCounts(describe: (series: string) => Series | undefined, name: SumName): Count[] {
    return [...seriesByName]
      .flatMap(([series, days]) => {
        const described = describe(series);
        return described === undefined ? [] : [[described, days] as const];
      })
      .toSorted(([a], [b]) => (a.what < b.what ? -1 : 1))
      .flatMap(([described, days]) => toCountsOf(described, days, name));
  }

  return { add, toCounts };
}

/** Sums of two sides by series and day. */
export type DailySums = ReturnType<typeof createDailySums>;

function createSums(): Sums {
  return { expected: { rows: 0, sum: 0n }, found: { rows: 0, sum: 0n } };
}

function addTo(total: Sums[Side], { rows, sum }: Sums[Side]): void {
  total.rows += rows;
  total.sum += sum;
}

function toCountsOf(
  { what, ...counted }: Series,
  days: ReadonlyMap<number, Sums>,
  name: SumName,
): Count[] {
  const total = createSums();
  for (const { expected, found } of days.values()) {
    addTo(total.expected, expected);
    addTo(total.found, found);
  }
  const totals = toPair(what, '', total, name).map((count) => ({ ...count, ...counted }));
  const differing = [...days]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([number, sums]) => {
      const day = new Date(number * DAY_MS).toISOString().slice(0, 10);
      const pair = toPair(what, `, on ${day}`, sums, name);
      return pair.map((count) => ({ ...count, ...counted, day }));
    })
    .filter(({ agrees }) => !agrees);
  return [...totals, ...differing];
}

/** How many, and their sum; a checksum, of 64 bits, only where it alone differs. */
function toPair(
  what: string,
  when: string,
  { expected, found }: Sums,
  { named, isChecksum }: SumName,
): Count[] {
  const rows = toCount(`${what}${when}`, expected.rows, found.rows);
  const toSum = ({ sum }: Sums[Side]) => (isChecksum ? BigInt.asUintN(64, sum) : sum);
  const sums = toCount(`${what}, ${named}${when}`, toSum(expected), toSum(found));
  return isChecksum && (sums.agrees || !rows.agrees) ? [rows] : [rows, sums];
}
