import { hash } from 'node:crypto';
import { withLedgerCounts } from '#ledger/open-ledger.ts';
import type { DataPaths } from '#processes/paths.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { type Check, RECOUNT_LIMITS } from './count.ts';
import { compareSums, type Summed } from './daily-sums.ts';

/** If a row changes in the meantime, only one side has it, so both are counted again. */
const TRIES_MAX = 3;

/**
 * Compares the shipped rows of `persons` with the warehouse: the count and a sum of hashes, which is
 * reported only if the counts agree and the hashes differ.
 */
export async function countPersons(paths: DataPaths, warehouse: Warehouse): Promise<Check[]> {
  const counts = await withLedgerCounts(paths.ledger, async (ledger) => {
    for (let tries = 1; ; tries++) {
      const upTo = await ledger.shippedPersonsVersion();
      const before = await ledger.countPersons(upTo);
      const found = await readWarehouse(warehouse, upTo);
      const expected = { rows: 0, sum: 0n };
      for await (const { site_id, kind, key, person_id } of ledger.personsUpTo(upTo)) {
        const text = [site_id, kind, key, person_id].join('\0');
        expected.sum += hash('sha256', text, 'buffer').readBigUInt64LE();
        expected.rows += 1;
      }
      // A changed or removed row no longer has this version.
      if (expected.rows !== before && tries < TRIES_MAX) continue;
      if (expected.rows === 0 && found.rows === 0) return [];
      const what = 'visitors and transactions of persons';
      return compareSums(what, { expected, found }, 'of their hashes');
    }
  });
  return counts ?? [];
}

/** Hashes are the first eight bytes of SHA-256, little-endian, summed in 64 bits. */
async function readWarehouse(warehouse: Warehouse, upTo: number): Promise<Summed> {
  const text = "concatWithSeparator('\\0', site_id, kind, key, person_id)";
  const sql = `SELECT count() AS persons, sum(reinterpretAsUInt64(substring(SHA256(${text}), 1, 8))) AS hashes
    FROM persons FINAL WHERE version <= {up_to:UInt64}`;
  const [row] = await warehouse.select<{ persons: string; hashes: string }>(
    { sql, params: { up_to: String(upTo) } },
    RECOUNT_LIMITS,
  );
  return { rows: Number(row?.persons), sum: BigInt(row?.hashes ?? 0) };
}
