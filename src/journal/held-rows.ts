import type { Warehouse } from '#warehouse/client.ts';
import type { JournalFile } from './journal-file.ts';
import { toBatchId } from './shipment-token.ts';
import type { Lines, Parcel } from './shipper.ts';

type Asked = Pick<Warehouse, 'select'>;

/**
 * Those of the parcel's lines whose events the warehouse does not have.
 *
 * Why by event and not by token: what came out of a damaged file may have been shipped before, in a
 * shipment with other bounds.
 */
export async function withoutHeld(parcel: Parcel, warehouse: Asked): Promise<Lines> {
  if (parcel.batchIds === undefined) return parcel;
  const rows = await warehouse.select<{ event_id: string }>({
    sql: 'SELECT event_id FROM events WHERE batch_id BETWEEN {first:UInt64} AND {last:UInt64}',
    params: toRange(parcel.batchIds),
  });
  if (rows.length === 0) return parcel;
  const held = new Set(rows.map((row) => row.event_id));
  const lines = parcel.lines.toString().split('\n').filter(Boolean);
  const missing = lines.filter((line) => !held.has(eventIdOf(line)));
  return { lines: Buffer.from(missing.map((line) => `${line}\n`).join('')), rows: missing.length };
}

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

function eventIdOf(line: string): string {
  return (JSON.parse(line) as { event_id: string }).event_id;
}
