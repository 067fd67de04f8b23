import { type Count, toCount } from './count.ts';

const DAY_MS = 86_400_000;

/** SQL of the day in UTC of an instant, as {@link toDay} numbers it. */
export const dayOf = (instant: string) =>
  `toInt64(floor(toUnixTimestamp64Milli(${instant}) / ${DAY_MS}))`;

/** The day in UTC of an instant, in days since 1970. */
export function toDay(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** Records of one type of one site, as they are counted; of money, in one currency. */
export type Series = {
  readonly siteId: string;
  readonly type: string;
  readonly currency?: string;
};

/** How many records, and the sum of their money in minor units, or of their ids. */
export type Summed = { rows: number; sum: bigint };

/** How series are named, by the domains of their sites. */
export type Naming = {
  readonly toWhat: (of: Omit<Series, 'siteId'> & { readonly site: string }) => string;
  readonly domains: ReadonlyMap<string, string>;
};

/** What archive and ledger say, and what the warehouse has. */
export type Sides = Readonly<Record<'expected' | 'found', Summed>>;

/** Counts records by series and day on both sides. */
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

  /** The counts of each series, and of each of its days that differs. */
  function toCounts({ toWhat, domains }: Naming): Count[] {
    return [...daysBySeries.values()]
      .map(({ of: { siteId, ...of }, days }) => {
        const counted = { ...of, site: domains.get(siteId) ?? siteId };
        return { what: toWhat(counted), counted, days };
      })
      .toSorted((a, b) => (a.what < b.what ? -1 : 1))
      .flatMap(({ what, counted, days }) => {
        const total = createSides();
        for (const { expected, found } of days.values()) {
          addTo(total.expected, expected);
          addTo(total.found, found);
        }
        const isMoney = counted.currency !== undefined;
        const ofDays = [...days]
          .toSorted(([a], [b]) => a - b)
          .flatMap(([number, sides]) => {
            const day = new Date(number * DAY_MS).toISOString().slice(0, 10);
            const counts = compare(sides, isMoney, what, `, on ${day}`);
            return counts
              .filter(({ agrees }) => !agrees)
              .map((count) => ({ ...count, ...counted, day }));
          });
        const ofAll = compare(total, isMoney, what, '');
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

/** How many, and how much money; a sum of ids, of 64 bits, only where it alone differs. */
function compare(
  { expected, found }: Sides,
  isMoney: boolean,
  what: string,
  when: string,
): Count[] {
  const rows = toCount(`${what}${when}`, expected.rows, found.rows);
  const toSum = ({ sum }: Summed) => (isMoney ? sum : BigInt.asUintN(64, sum));
  const name = `${what}, sum ${isMoney ? 'in minor units' : 'of their ids'}${when}`;
  const sums = toCount(name, toSum(expected), toSum(found));
  return !isMoney && (sums.agrees || !rows.agrees) ? [rows] : [rows, sums];
}
