import { toBatchId } from '#storage/shipment-token.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { WHOLE_LIMITS } from '#warehouse/question-limits.ts';
import { countErased } from './count-erased.ts';
import type { JournalFile, LostTotal } from './journal-file.ts';

/** Batches that are named in one question. */
const PAGE_BATCHES = 10_000;

type Asked = Pick<Warehouse, 'select'>;

/**
 * Lets the warehouse say how many rows a journal has shipped, when its damaged file could not; and the ledger
 * at `ledgerPath` how many of them are erased since.
 */
export async function settleTotal(
  { file, number }: { readonly file: JournalFile; readonly number: number },
  warehouse: Asked,
  ledgerPath: string,
): Promise<void> {
  const lost = file.findLostTotal();
  if (lost === undefined) return;
  const ask = () => countErased(ledgerPath, number, warehouse);
  for (let erased = await ask(); ; ) {
    const rows = await countThere(number, lost, warehouse);
    const erasedSince = await ask();
    if (erasedSince === erased) return file.settleTotal(rows + erased);
    erased = erasedSince;
  }
}

async function countThere(number: number, lost: LostTotal, warehouse: Asked): Promise<number> {
  const idOf = (seq: number) => Number(toBatchId(number, seq));
  let rows = await count(warehouse, 'batch_id BETWEEN {first:UInt64} AND {last:UInt64}', {
    ...{ first: idOf(0), last: idOf(lost.upTo) },
  });
  for (let from = 0; from < lost.waiting.length; from += PAGE_BATCHES) {
    const batches = lost.waiting.slice(from, from + PAGE_BATCHES).map(idOf);
    rows -= await count(warehouse, 'batch_id IN {batches:Array(UInt64)}', { batches });
  }
  return rows;
}

async function count(
  warehouse: Asked,
  where: string,
  params: Readonly<Record<string, unknown>>,
): Promise<number> {
  const sql = `SELECT count() AS rows FROM events WHERE ${where}`;
  const [row] = await warehouse.select<{ rows: string }>({ sql, params }, WHOLE_LIMITS);
  return Number(row?.rows ?? 0);
}
