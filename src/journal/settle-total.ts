import type { Warehouse } from '#warehouse/client.ts';
import type { JournalFile } from './journal-file.ts';
import { toBatchId } from './shipment-token.ts';

type Asked = Pick<Warehouse, 'select'>;

/** Lets the warehouse say how many rows a journal has shipped, when its damaged file could not. */
export async function settleTotal(
  { file, number }: { readonly file: JournalFile; readonly number: number },
  warehouse: Asked,
): Promise<void> {
  const askUpTo = file.findLostTotal();
  if (askUpTo === undefined) return;
  const [row] = await warehouse.select<{ rows: string }>({
    sql: 'SELECT count() AS rows FROM events WHERE batch_id BETWEEN {first:UInt64} AND {last:UInt64}',
    params: toRange([toBatchId(number, 0), toBatchId(number, askUpTo)]),
  });
  file.settleTotal(Number(row?.rows ?? 0));
}

function toRange([first, last]: readonly [bigint, bigint]) {
  return { first: String(first), last: String(last) };
}
