import type { PaymentRow } from '#contract/rows/payment-row.ts';
import { withLedgerCounts } from '#ledger/open-ledger.ts';
import type { DataPaths } from '#processes/paths.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { type Count, RECOUNT_LIMITS, toCount } from './count.ts';
import { createDailySums, dayOf, toDay } from './daily-sums.ts';

/** Versions read at a time; few enough to fit into memory. */
const PAGE_VERSIONS = 100_000;

/**
 * Compares the ledger's payments and refunds with the warehouse: the count and exact sums in minor
 * units, by site, kind, currency and day.
 *
 * - Payments that are not shipped yet, or change in the meantime, are excluded on both sides.
 * - Why the warehouse is read first: if the ledger still has a version afterwards, the payment has
 *   not changed in between.
 */
export async function countPayments(paths: DataPaths, warehouse: Warehouse): Promise<Count[]> {
  const latest = await readNumber(warehouse, 'SELECT max(version) AS n FROM payments');
  const counts = await withLedgerCounts(paths.ledger, async (ledger) => {
    // The warehouse has a later version only if the ledger was restored from a backup.
    const last = await ledger.lastVersion();
    const later = latest > last ? await countAfter(warehouse, last) : 0;
    const shipped = await ledger.shippedVersion();
    const sums = createDailySums();
    let strays = 0;
    for (let after = 0; after < shipped; after += PAGE_VERSIONS) {
      const upTo = Math.min(after + PAGE_VERSIONS, shipped);
      strays += await addPage({ ledger, warehouse, sums }, { after, upTo });
    }
    const counted = sums.toCounts(
      await ledger.domainsById(),
      ({ type, site, currency }) => `${type}s of ${site} in ${currency}`,
    );
    const unknown = Math.max(0, strays - (await ledger.countChangedAfter(shipped)));
    return [...counted, ...toUnknown(unknown + later)];
  });
  return counts ?? toUnknown(await countAfter(warehouse, 0));
}

function toUnknown(payments: number): Count[] {
  return payments > 0 ? [toCount('payments that the ledger does not know', 0, payments)] : [];
}

async function countAfter(warehouse: Warehouse, after: number): Promise<number> {
  const sql = 'SELECT count() AS n FROM payments FINAL WHERE version > {after:UInt64}';
  return readNumber(warehouse, sql, { after: String(after) });
}

async function readNumber(warehouse: Warehouse, sql: string, params = {}): Promise<number> {
  const [row] = await warehouse.select<{ n: string }>({ sql, params }, RECOUNT_LIMITS);
  return Number(row?.n ?? 0);
}

type Versions = { readonly after: number; readonly upTo: number };

/** The rows of payments that the warehouse should have. */
type PaymentRows = { paymentRows(versions: Versions): Promise<readonly PaymentRow[]> };

type Sides = {
  readonly ledger: PaymentRows;
  readonly warehouse: Warehouse;
  readonly sums: ReturnType<typeof createDailySums>;
};

/** Returns the number of the warehouse's versions that the ledger does not have, or no longer has. */
async function addPage({ ledger, warehouse, sums }: Sides, versions: Versions): Promise<number> {
  const found = await readWarehouse(warehouse, versions);
  const known = new Set<string>();
  for (const row of await ledger.paymentRows(versions)) {
    known.add(row.version);
    if (row.is_deleted !== undefined) continue;
    const summed = { rows: 1, sum: BigInt(row.amount_minor) };
    sums.add('expected', toSeries(row), toDay(row.occurred_at), summed);
  }
  const strays = new Set<string>();
  for (const row of found) {
    const summed = { rows: Number(row.rows), sum: BigInt(row.amount_minor) };
    if (known.has(row.version)) sums.add('found', toSeries(row), Number(row.day), summed);
    else strays.add(row.version);
  }
  return strays.size;
}

type Summand = Readonly<Record<'site_id' | 'kind' | 'currency' | 'amount_minor', string>>;

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

const toSeries = ({ site_id, kind, currency }: Summand) => ({
  ...{ siteId: site_id, type: kind, currency },
});
