import type { LedgerCounts } from '#ledger/open-counts.ts';
import { projectPayment } from '#ledger/payments/project-payment.ts';
import type { DataPaths } from '#processes/paths.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { withLedgerCounts } from '../with-ledger.ts';
import { type Count, RECOUNT_LIMITS, toCount } from './count.ts';
import { createDailySums, type DailySums, dayOf, type Series, toDay } from './daily-sums.ts';

/** Versions that are read at a time: what fits into memory with ease. */
const PAGE_VERSIONS = 100_000n;

const SUM = { named: 'sum in minor units', isChecksum: false } as const;

/**
 * The ledger's payments and refunds against those in the warehouse: how many, and their exact sums
 * in minor units, by site, kind, currency and day.
 *
 * - What is not shipped yet, or changes meanwhile, is left aside on both sides.
 * - Why the warehouse is read first: a payment whose version it has, and the ledger still has
 *   afterwards, has not changed in between.
 */
export async function countPayments(paths: DataPaths, warehouse: Warehouse): Promise<Count[]> {
  const latest = await findLatest(warehouse);
  const counts = await withLedgerCounts(paths.ledger, async (ledger) => {
    const last = ledger.lastVersion();
    const later = latest > last ? await countAfter(warehouse, last) : 0;
    const upTo = ledger.shippedVersion();
    const sums = createDailySums();
    let strays = 0;
    for (let after = 0n; after < upTo; after += PAGE_VERSIONS) {
      const end = after + PAGE_VERSIONS < upTo ? after + PAGE_VERSIONS : upTo;
      strays += await addPage(ledger, warehouse, sums, { after, upTo: end });
    }
    const domains = ledger.domainsById();
    const unknown = Math.max(0, strays - ledger.countChangedAfter(upTo));
    return [
      ...sums.toCounts((series) => describe(series, domains), SUM),
      ...toUnknown(unknown + later),
    ];
  });
  return counts ?? toUnknown(await countAfter(warehouse, 0n));
}

function toUnknown(payments: number): Count[] {
  return payments > 0 ? [toCount('payments that the ledger does not know', 0, payments)] : [];
}

/**
 * The highest version in the warehouse. The ledger's, read after it, is only lower when the ledger
 * was restored from a backup.
 */
async function findLatest(warehouse: Warehouse): Promise<bigint> {
  const sql = 'SELECT max(version) AS latest FROM payments';
  const [row] = await warehouse.select<{ latest: string }>({ sql }, RECOUNT_LIMITS);
  return BigInt(row?.latest ?? 0);
}

async function countAfter(warehouse: Warehouse, version: bigint): Promise<number> {
  const sql = 'SELECT count() AS n FROM payments FINAL WHERE version > {version:UInt64}';
  const params = { version: String(version) };
  const [row] = await warehouse.select<{ n: string }>({ sql, params }, RECOUNT_LIMITS);
  return Number(row?.n ?? 0);
}

type Versions = { readonly after: bigint; readonly upTo: bigint };

/** Returns how many of the warehouse's versions are not the ledger's, or no longer are. */
async function addPage(
  ledger: LedgerCounts,
  warehouse: Warehouse,
  sums: DailySums,
  versions: Versions,
): Promise<number> {
  const found = await readWarehouse(warehouse, versions);
  const known = new Set<string>();
  for (const payment of ledger.findPayments(versions)) {
    known.add(String(payment.version));
    for (const row of projectPayment(payment)) {
      if (row.is_deleted !== undefined) continue;
      sums.add('expected', toSeries(row), toDay(row.occurred_at), 1, BigInt(row.amount_minor));
    }
  }
  const strays = new Set<string>();
  for (const row of found) {
    if (!known.has(row.version)) strays.add(row.version);
    else
      sums.add('found', toSeries(row), Number(row.day), Number(row.rows), BigInt(row.amount_minor));
  }
  return strays.size;
}

function readWarehouse(warehouse: Warehouse, { after, upTo }: Versions) {
  return warehouse.select<Summand & Readonly<Record<'version' | 'rows' | 'day', string>>>(
    {
      sql: `SELECT site_id, kind, currency, version, ${dayOf('occurred_at')} AS day,
          count() AS rows, sum(payments.amount_minor) AS amount_minor
        FROM payments FINAL WHERE version > {after:UInt64} AND version <= {up_to:UInt64}
        GROUP BY site_id, kind, currency, version, day`,
      params: { after: String(after), up_to: String(upTo) },
    },
    RECOUNT_LIMITS,
  );
}

type Summand = Readonly<Record<'site_id' | 'kind' | 'currency' | 'amount_minor', string>>;

function toSeries({ kind, currency, site_id }: Summand): string {
  return [kind, currency, site_id].join(' ');
}

function describe(series: string, domains: ReadonlyMap<string, string>): Series {
  const [type = '', currency = '', siteId = ''] = series.split(' ');
  const site = domains.get(siteId) ?? siteId;
  return { what: `${type}s of ${site} in ${currency}`, site, type, currency };
}
