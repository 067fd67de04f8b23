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

/** Records of one type of one site, as they are told. */
export type Series = Omit<Counted, 'day' | 'currency'> & {
  /** In words. */
  readonly what: string;
  readonly currency?: string;
};

/** How many records there are by series and day, and a sum of each day's, on both sides. */
export interface DailySums {
  add(side: Side, series: string, day: number, rows: number, sum: bigint): void;
  /**
   * One count a series, and one for each day that differs; a series that is described as nothing is
   * left out. Sums are counted like records; one that `isChecksum`, of 64 bits, only where it alone differs.
   */
  toCounts(
    describe: (series: string) => Series | undefined,
    sums: { readonly named: string; readonly isChecksum: boolean },
  ): Count[];
}

type Sum = { rows: number; sum: bigint };
type Sums = Record<Side, Sum>;

/** Makes an empty one. */
export function createDailySums(): DailySums {
  const seriesByName = new Map<string, Map<number, Sums>>();
  return {
    add(side, series, day, rows, sum) {
      const days = seriesByName.getOrInsertComputed(series, () => new Map<number, Sums>());
      const sums = days.getOrInsertComputed(day, createSums)[side];
      sums.rows += rows;
      sums.sum += sum;
    },
    toCounts(describe, sums) {
      return [...seriesByName]
        .flatMap(([name, days]) => {
          const series = describe(name);
          return series === undefined ? [] : [{ series, days }];
        })
        .toSorted((a, b) => (a.series.what < b.series.what ? -1 : 1))
        .flatMap(({ series, days }) => [
          ...toTotals(series, days.values(), sums),
          ...[...days].toSorted(([a], [b]) => a - b).flatMap((day) => toDays(series, day, sums)),
        ]);
    },
  };
}

function createSums(): Sums {
  return { expected: { rows: 0, sum: 0n }, found: { rows: 0, sum: 0n } };
}

type Told = { readonly named: string; readonly isChecksum: boolean };

function toTotals(series: Series, days: Iterable<Sums>, { named, isChecksum }: Told): Count[] {
  const total = createSums();
  for (const day of days) {
    for (const side of ['expected', 'found'] as const) {
      total[side].rows += day[side].rows;
      total[side].sum += day[side].sum;
    }
  }
  const { what, ...counted } = series;
  const { expected, found } = total;
  const rows = { ...toCount(what, expected.rows, found.rows), ...counted };
  if (isChecksum) return [rows];
  return [rows, { ...toCount(`${what}, ${named}`, expected.sum, found.sum), ...counted }];
}

function toDays(series: Series, [number, sums]: [number, Sums], told: Told): Count[] {
  const { what, ...counted } = series;
  const { expected, found } = sums;
  const day = new Date(number * DAY_MS).toISOString().slice(0, 10);
  const rows = toCount(`${what}, on ${day}`, expected.rows, found.rows);
  const toSum = (sum: bigint) => (told.isChecksum ? BigInt.asUintN(64, sum) : sum);
  const name = `${what}, ${told.named}, on ${day}`;
  const ofSum = toCount(name, toSum(expected.sum), toSum(found.sum));
  return [rows, ...(rows.agrees || !told.isChecksum ? [ofSum] : [])]
    .filter(({ agrees }) => !agrees)
    .map((count) => ({ ...count, ...counted, day }));
}
