import { existsSync } from 'node:fs';
import { type LedgerCounts, openLedgerCounts } from '#ledger/open-counts.ts';
import { projectPayment } from '#ledger/project-payment.ts';
import type { DataPaths } from '#processes/paths.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { type Count, toCount } from './count.ts';
import {
  createDailySums,
  type DailySums,
  dayOf,
  type Series,
  type Side,
  toDay,
} from './daily-sums.ts';
import { RECOUNT_LIMITS } from './recount-limits.ts';

/** Versions that are compared at a time: what fits into memory with ease. */
const PAGE_VERSIONS = 100_000n;

/**
 * Payments and refunds of the ledger against those in the warehouse: how many, and their exact sums
 * in minor units, by site, kind, currency and day.
 *
 * - Shape: what is not shipped yet, or changes meanwhile, is left aside on both sides.
 * - Why the warehouse is asked first: a payment whose version is still one of those asked for when
 *   the ledger is read afterwards has not changed in between.
 */
export async function countPayments(paths: DataPaths, warehouse: Warehouse): Promise<Count[]> {
  const latest = await findLatest(warehouse);
  if (!existsSync(paths.ledger)) return toUnknown(await countAfter(warehouse, 0n));
  const ledger = openLedgerCounts(paths.ledger);
  try {
    const last = ledger.lastVersion();
    const later = latest > last ? await countAfter(warehouse, last) : 0;
    const sums = createDailySums();
    const upTo = ledger.shippedVersion();
    let strays = 0;
    for (let after = 0n; after < upTo; after += PAGE_VERSIONS) {
      const end = after + PAGE_VERSIONS < upTo ? after + PAGE_VERSIONS : upTo;
      strays += await comparePage(ledger, warehouse, sums, { after, upTo: end });
    }
    const domains = ledger.domainsById();
    const unknown = Math.max(0, strays - ledger.countChangedAfter(upTo));
    return [
      ...sums.toCounts((series) => describe(series, domains), {
        named: 'sum in minor units',
        isChecksum: false,
      }),
      ...toUnknown(unknown + later),
    ];
  } finally {
    ledger.close();
  }
}

function toUnknown(payments: number): Count[] {
  return payments > 0 ? [toCount('payments that the ledger does not know', 0, payments)] : [];
}

/**
 * The highest version in the warehouse. Asked for before the ledger's, which never is behind it then
 * unless it is one that came back from a backup.
 */
async function findLatest(warehouse: Warehouse): Promise<bigint> {
  const [row] = await warehouse.select<{ latest: string }>(
    { sql: 'SELECT max(version) AS latest FROM payments' },
    RECOUNT_LIMITS,
  );
  return BigInt(row?.latest ?? 0);
}

async function countAfter(warehouse: Warehouse, version: bigint): Promise<number> {
  const [row] = await warehouse.select<{ n: string }>(
    {
      sql: 'SELECT count() AS n FROM payments FINAL WHERE version > {version:UInt64}',
      params: { version: String(version) },
    },
    RECOUNT_LIMITS,
  );
  return Number(row?.n ?? 0);
}

type Versions = { readonly after: bigint; readonly upTo: bigint };

/** Answers how many of the warehouse's versions are not the ledger's, or not any more. */
async function comparePage(
  ledger: LedgerCounts,
  warehouse: Warehouse,
  sums: DailySums,
  versions: Versions,
): Promise<number> {
  const found = await readWarehouse(warehouse, versions);
  const settled = new Set<string>();
  for (const payment of ledger.findPayments(versions)) {
    settled.add(String(payment.version));
    const rows = projectPayment(payment).filter((row) => row.is_deleted === undefined);
    for (const row of rows) add(sums, 'expected', { ...row, day: toDay(row.occurred_at), rows: 1 });
  }
  const strays = new Set<string>();
  for (const row of found) {
    if (settled.has(row.version))
      add(sums, 'found', { ...row, day: Number(row.day), rows: Number(row.rows) });
    else strays.add(row.version);
  }
  return strays.size;
}

type Summand = {
  readonly site_id: string;
  readonly kind: string;
  readonly currency: string;
  readonly amount_minor: string;
};

function readWarehouse(warehouse: Warehouse, { after, upTo }: Versions) {
  return warehouse.select<Summand & { version: string; rows: string; day: string }>(
    {
      sql: `SELECT site_id, kind, currency, version, ${dayOf('occurred_at')} AS day, count() AS rows,
          sum(payments.amount_minor) AS amount_minor
        FROM payments FINAL
        WHERE version > {after:UInt64} AND version <= {up_to:UInt64}
        GROUP BY site_id, kind, currency, version, day`,
      params: { after: String(after), up_to: String(upTo) },
    },
    RECOUNT_LIMITS,
  );
}

function add(
  sums: DailySums,
  side: Side,
  row: Summand & { readonly day: number; readonly rows: number },
): void {
  const series = [row.kind, row.currency, row.site_id].join(' ');
  sums.add(side, series, row.day, row.rows, BigInt(row.amount_minor));
}

function describe(series: string, domains: ReadonlyMap<string, string>): Series {
  const [type = '', currency = '', siteId = ''] = series.split(' ');
  const site = domains.get(siteId) ?? siteId;
  return { what: `${type}s of ${site} in ${currency}`, site, type, currency };
}
