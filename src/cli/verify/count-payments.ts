import { existsSync } from 'node:fs';
import { type LedgerCounts, openLedgerCounts } from '#ledger/open-counts.ts';
import { projectPayment } from '#ledger/project-payment.ts';
import type { DataPaths } from '#processes/paths.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { type Count, toCount } from './count.ts';
import { RECOUNT_LIMITS } from './recount-limits.ts';

/** Versions that are compared at a time: what fits into memory with ease. */
const PAGE_VERSIONS = 100_000n;

/**
 * Payments and refunds of the ledger against those in the warehouse: how many, and their exact sums
 * in minor units, by site, kind and currency.
 *
 * - Shape: what is not shipped yet, or changes meanwhile, is left aside on both sides.
 * - Why the warehouse is asked first: a payment whose version is still one of those asked for when
 *   the ledger is read afterwards has not changed in between.
 */
export async function countPayments(paths: DataPaths, warehouse: Warehouse): Promise<Count[]> {
  if (!existsSync(paths.ledger)) return [];
  const ledger = openLedgerCounts(paths.ledger);
  try {
    const sums = createSums(ledger.domainsById());
    const upTo = ledger.shippedVersion();
    let strays = 0;
    for (let after = 0n; after < upTo; after += PAGE_VERSIONS) {
      const last = after + PAGE_VERSIONS < upTo ? after + PAGE_VERSIONS : upTo;
      strays += await comparePage(ledger, warehouse, sums, { after, upTo: last });
    }
    const unknown = strays - ledger.countChangedAfter(upTo);
    return [
      ...sums.toCounts(),
      ...(unknown > 0 ? [toCount('payments that the ledger does not know', 0, unknown)] : []),
    ];
  } finally {
    ledger.close();
  }
}

type Versions = { readonly after: bigint; readonly upTo: bigint };

/** Answers how many of the warehouse's versions are not the ledger's, or not any more. */
async function comparePage(
  ledger: LedgerCounts,
  warehouse: Warehouse,
  sums: Sums,
  versions: Versions,
): Promise<number> {
  const found = await readWarehouse(warehouse, versions);
  const settled = new Set<string>();
  for (const payment of ledger.findPayments(versions)) {
    settled.add(String(payment.version));
    const rows = projectPayment(payment).filter((row) => row.is_deleted === undefined);
    for (const row of rows) sums.add('expected', { ...row, rows: 1n });
  }
  const strays = new Set<string>();
  for (const row of found) {
    if (settled.has(row.version)) sums.add('found', { ...row, rows: BigInt(row.rows) });
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
  return warehouse.select<Summand & { version: string; rows: string }>(
    {
      sql: `SELECT site_id, kind, currency, version, count() AS rows,
          sum(payments.amount_minor) AS amount_minor
        FROM payments FINAL
        WHERE version > {after:UInt64} AND version <= {up_to:UInt64}
        GROUP BY site_id, kind, currency, version`,
      params: { after: String(after), up_to: String(upTo) },
    },
    RECOUNT_LIMITS,
  );
}

type Sum = { rows: bigint; amountMinor: bigint };
type Sums = ReturnType<typeof createSums>;

/** Sums by site, kind and currency, on both sides. */
function createSums(domainsById: ReadonlyMap<string, string>) {
  const sumsByName = new Map<string, { expected: Sum; found: Sum }>();
  return {
    add(side: 'expected' | 'found', row: Summand & { readonly rows: bigint }): void {
      const name = `${row.kind}s of ${domainsById.get(row.site_id) ?? row.site_id} in ${row.currency}`;
      const sums = sumsByName.getOrInsertComputed(name, () => ({
        expected: { rows: 0n, amountMinor: 0n },
        found: { rows: 0n, amountMinor: 0n },
      }));
      sums[side].rows += row.rows;
      sums[side].amountMinor += BigInt(row.amount_minor);
    },
    toCounts(): Count[] {
      return [...sumsByName]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([name, { expected, found }]) => [
          toCount(name, expected.rows, found.rows),
          toCount(`${name}, sum in minor units`, expected.amountMinor, found.amountMinor),
        ]);
    },
  };
}
