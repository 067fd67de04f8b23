import type { MoneyPlace } from '#domain/money/rates/convert-money.ts';
import { openRates } from '#enrich/rates/open-rates.ts';
import { withLedgerCounts } from '#ledger/open-ledger.ts';
import type { DataPaths } from '#processes/paths.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { type Check, RECOUNT_LIMITS, toCount } from './count.ts';
import { createDailySums, dayOf, toDay } from './daily-sums.ts';

/** Versions read at a time; few enough to fit into memory. */
const PAGE_VERSIONS = 100_000;

/** A table of money, and SQL for the kinds and days of its rows. */
const TABLES = {
  payments: { kind: 'kind', day: dayOf('occurred_at') },
  costs: { kind: "'cost'", day: 'toInt64(toUInt16(day))' },
} as const;

type Table = keyof typeof TABLES;

/**
 * Compares the ledger's payments and refunds, or its costs, with the warehouse: the count and exact sums in minor
 * units, by site, kind, currency and day; and what they come to in the currency of their site.
 *
 * - Sites whose money is converted again, or will be by the next start, are not compared in their currency.
 * - What is not shipped yet, or changes in the meantime, is excluded on both sides.
 * - Why the warehouse is read first: if the ledger still has a version afterwards, the payment has
 *   not changed in between.
 */
export async function countMoney(
  table: Table,
  paths: DataPaths,
  warehouse: Warehouse,
): Promise<Check[]> {
  const latest = await readNumber(warehouse, `SELECT max(version) AS n FROM ${table}`);
  const counts = await withLedgerCounts(paths.ledger, async (counted) => {
    const ledger = counted[table];
    // The warehouse has a later version only if the ledger was restored from a backup.
    const last = await ledger.lastVersion();
    const later = latest > last ? await countAfter(table, warehouse, last) : 0;
    const shipped = await ledger.shippedVersion();
    const sums = createDailySums();
    const rates = openRates(paths.rates);
    const readRows = await ledger.createReadRows(rates);
    const converted = await createConverted(counted, rates);
    let strays = 0;
    for (let after = 0; after < shipped; after += PAGE_VERSIONS) {
      const upTo = Math.min(after + PAGE_VERSIONS, shipped);
      strays += await addPage({ table, readRows, warehouse, sums, converted }, { after, upTo });
    }
    const all = sums.toCounts(await counted.domainsById(), describeSeries);
    const unknown = Math.max(0, strays - (await ledger.countChangedAfter(shipped)));
    return [...all, ...converted.toCounts(), ...toUnknown(table, unknown + later)];
  });
  return counts ?? toUnknown(table, await countAfter(table, warehouse, 0));
}

const describeSeries = ({ type, site, currency }: Omit<Series, 'siteId'> & { site: string }) =>
  `${type}s of ${site} in ${currency}`;

type Sums = ReturnType<typeof createDailySums>;
type Series = Parameters<Sums['add']>[1];
type Counted = Parameters<Parameters<typeof withLedgerCounts<Check[]>>[1]>[0];

/** Sums money in the currency of its site, where all of the site's rows should have it. */
async function createConverted(counted: Counted, rates: ReturnType<typeof openRates>) {
  const domains = await counted.domainsById();
  const placeById = await counted.findConverted(rates);
  const currencyBySite = new Map(
    [...placeById].map(([id, { currency }]) => [domains.get(id) ?? id, currency]),
  );
  const sums = createDailySums();
  return {
    add(
      side: 'expected' | 'found',
      of: Series,
      day: number,
      minorIn: (place: MoneyPlace) => string,
    ) {
      const site = placeById.get(of.siteId);
      if (site !== undefined)
        sums.add(side, of, day, { rows: 0, sum: BigInt(minorIn(site.place)) });
    },
    /** Money of the site's own currency is not named if it agrees. */
    toCounts(): Check[] {
      const counts = sums.toCounts(domains, (of) => {
        return `${describeSeries(of)}, converted to ${currencyBySite.get(of.site)}`;
      });
      return counts.filter(({ what, site = '', currency, agrees }) => {
        return what.includes(', sum ') && !(agrees && currency === currencyBySite.get(site));
      });
    },
  };
}

function toUnknown(table: Table, rows: number): Check[] {
  return rows > 0 ? [toCount(`${table} that the ledger does not know`, 0, rows)] : [];
}

async function countAfter(table: Table, warehouse: Warehouse, after: number): Promise<number> {
  const sql = `SELECT count() AS n FROM ${table} FINAL WHERE version > {after:UInt64}`;
  return readNumber(warehouse, sql, { after: String(after) });
}

async function readNumber(warehouse: Warehouse, sql: string, params = {}): Promise<number> {
  const [row] = await warehouse.select<{ n: string }>({ sql, params }, RECOUNT_LIMITS);
  return Number(row?.n ?? 0);
}

type Versions = { readonly after: number; readonly upTo: number };

type Sides = {
  readonly table: Table;
  /** Reads the rows that the warehouse should have. */
  readonly readRows: Awaited<ReturnType<Counted[Table]['createReadRows']>>;
  readonly warehouse: Warehouse;
  readonly sums: Sums;
  readonly converted: Awaited<ReturnType<typeof createConverted>>;
};

/** Returns the number of the warehouse's versions that the ledger does not have, or no longer has. */
async function addPage(
  { table, readRows, warehouse, sums, converted }: Sides,
  versions: Versions,
): Promise<number> {
  const found = await readWarehouse(table, warehouse, versions);
  const known = new Set<string>();
  for (const row of await readRows(versions)) {
    known.add(row.version);
    if (row.is_deleted !== undefined) continue;
    const summed = { rows: 1, sum: BigInt(row.amount_minor) };
    const [kind, at] = 'kind' in row ? [row.kind, row.occurred_at] : ['cost', Date.parse(row.day)];
    const series = toSeries({ ...row, kind });
    sums.add('expected', series, toDay(at), summed);
    const byDefault = [row.amount_minor, '0'] as const;
    converted.add('expected', series, toDay(at), (place) => {
      return row[`site_minor_${place}`] ?? byDefault[place];
    });
  }
  const strays = new Set<string>();
  for (const row of found) {
    const summed = { rows: Number(row.rows), sum: BigInt(row.amount_minor) };
    if (!known.has(row.version)) {
      strays.add(row.version);
      continue;
    }
    const [series, day] = [toSeries(row), Number(row.day_number)];
    sums.add('found', series, day, summed);
    converted.add('found', series, day, (place) => row.site_minor[place]);
  }
  return strays.size;
}

type Summand = Readonly<Record<'site_id' | 'kind' | 'currency' | 'amount_minor', string>>;

type Found = Summand &
  Readonly<Record<'version' | 'rows' | 'day_number', string>> & {
    readonly site_minor: readonly [string, string];
  };

function readWarehouse(table: Table, warehouse: Warehouse, { after, upTo }: Versions) {
  const { kind, day } = TABLES[table];
  return warehouse.select<Found>(
    {
      sql: `SELECT site_id, ${kind} AS kind, currency, version, ${day} AS day_number,
          count() AS rows, sum(${table}.amount_minor) AS amount_minor,
          [toString(sum(site_minor_0)), toString(sum(site_minor_1))] AS site_minor
        FROM ${table} FINAL WHERE version > {after:UInt64} AND version <= {up_to:UInt64}
        GROUP BY site_id, kind, currency, version, day_number`,
      params: { after: String(after), up_to: String(upTo) },
    },
    RECOUNT_LIMITS,
  );
}

const toSeries = ({ site_id, kind, currency }: Summand) => ({
  ...{ siteId: site_id, type: kind, currency },
});
