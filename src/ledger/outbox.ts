import { countNoun } from '#domain/count-noun.ts';
import { type Batch, isSound } from '#storage/batch.ts';
import { chooseOldest, halfOf, type QueueOptions, SHIPMENT_LIMITS } from '#storage/queue-source.ts';
import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import { OUTBOX, type SeqRange, toSeqRange, toToken } from '#storage/shipment-token.ts';
import type { Database, Sql } from '#storage/sql/sql.ts';
import type { Remote } from '#storage/worker-calls.ts';

/** Creates the changes of the ledger's outbox. */
export function createOutbox(db: Database) {
  return {
    async beginShipment({ firstSeq, lastSeq }: SeqRange): Promise<void> {
      await db.run(
        `INSERT INTO shipment ("only", first_seq, last_seq) VALUES (1, ?, ?) ON CONFLICT ("only")
         DO UPDATE SET first_seq = excluded.first_seq, last_seq = excluded.last_seq`,
        ...[firstSeq, lastSeq],
      );
    },
    setAside: (seq: number) => setAside(db, seq),
    /** Deletes batches from the outbox, in one commit with the count of their rows; without, the first is set aside. */
    endShipment: ({ firstSeq, lastSeq }: SeqRange, rows: number | undefined): Promise<void> =>
      db.transaction(async (sql) => {
        if (rows === undefined) await setAside(sql, firstSeq);
        else
          await sql.run('UPDATE totals SET shipped_rows = shipped_rows + ? WHERE file = 0', rows);
        await sql.run(
          `UPDATE counters SET value = value - (
             SELECT coalesce(sum(length(lines)), 0) FROM batches WHERE seq BETWEEN ? AND ?)
           WHERE name = 'outbox_bytes'`,
          ...[firstSeq, lastSeq],
        );
        await sql.run('DELETE FROM batches WHERE seq BETWEEN ? AND ?', firstSeq, lastSeq);
        await sql.run('DELETE FROM shipment');
      }),
    async takeRefusedBack(): Promise<void> {
      const batches = (await db.all('SELECT * FROM set_aside_batches')) as unknown as Batch[];
      for (const { seq } of batches.filter(isSound)) {
        await db.transaction(async (sql) => {
          await sql.run(
            `INSERT INTO batches (${COLUMNS}) SELECT ${COLUMNS} FROM set_aside_batches WHERE seq = ?
             ON CONFLICT DO NOTHING`,
            seq,
          );
          await sql.run('DELETE FROM set_aside_batches WHERE seq = ?', seq);
          await sql.run(
            `UPDATE counters SET value = value + (SELECT length(lines) FROM batches WHERE seq = ?)
             WHERE name = 'outbox_bytes'`,
            seq,
          );
        });
      }
    },
  };
}

/**
 * Creates shipments from the ledger's outbox, as `createQueueSource` does from a file of the journal. Intact batches that
 * an earlier warehouse refused are taken back first, because this one may be able to read them.
 */
export async function openOutbox(
  db: Database,
  outbox: Remote<ReturnType<typeof createOutbox>>,
  { limits = SHIPMENT_LIMITS, onTrouble }: Pick<QueueOptions, 'limits' | 'onTrouble'>,
): Promise<ShipmentSource> {
  await outbox.takeRefusedBack();
  const inDoubtUpTo = Number((await db.get('SELECT last_seq FROM shipment'))?.last_seq ?? 0);

  async function findRange(): Promise<SeqRange | undefined> {
    const row = await db.get('SELECT first_seq, last_seq FROM shipment');
    if (row !== undefined) return toSeqRange(row);
    const sizes = 'SELECT seq, rows, length(lines) AS size FROM batches ORDER BY seq LIMIT 1000';
    const found = chooseOldest(await db.all(sizes), limits);
    if (found !== undefined) await outbox.beginShipment(found);
    return found;
  }

  async function readSound({ firstSeq, lastSeq }: SeqRange) {
    const between = 'SELECT * FROM batches WHERE seq BETWEEN ? AND ? ORDER BY seq';
    const sound: Batch[] = [];
    for (const batch of (await db.all(between, firstSeq, lastSeq)) as unknown as Batch[]) {
      if (isSound(batch)) sound.push(batch);
      else if ((await outbox.setAside(batch.seq)) > 0) {
        const events = countNoun(batch.rows, 'event');
        onTrouble(`Batch ${batch.seq} of ${events} is damaged and has been set aside.`);
      }
    }
    return {
      rows: sound.reduce((sum, { rows }) => sum + rows, 0),
      lines: Buffer.concat(sound.map(({ lines }) => lines)),
    };
  }

  /** Halves the shipment until a single batch is refused, which is set aside. */
  async function refuse(found: SeqRange): Promise<void> {
    const between = 'SELECT seq FROM batches WHERE seq BETWEEN ? AND ? ORDER BY seq';
    const seqs = (await db.all(between, found.firstSeq, found.lastSeq)).map(({ seq }) =>
      Number(seq),
    );
    if (seqs.length > 1) return outbox.beginShipment(halfOf(found, seqs));
    await outbox.endShipment(found, undefined);
    onTrouble(`Batch ${found.firstSeq} cannot be read by the warehouse and has been set aside.`);
  }

  return {
    async nextShipment(): Promise<Shipment | undefined> {
      const found = await findRange();
      if (found === undefined) return undefined;
      const { rows, lines } = await readSound(found);
      const next = 'SELECT 1 AS more FROM batches WHERE seq > ? LIMIT 1';
      const after = await db.get(next, found.lastSeq);
      return {
        table: 'events',
        ...{ rows, lines },
        token: toToken(OUTBOX, found),
        hasMore: after !== undefined,
        isInDoubt: found.firstSeq <= inDoubtUpTo,
        confirm: () => outbox.endShipment(found, rows),
        refuse: () => refuse(found),
      };
    },
  };
}

const COLUMNS = 'seq, rows, crc, lines';

function setAside(sql: Sql, seq: number): Promise<number> {
  return sql.run(
    `INSERT INTO set_aside_batches (${COLUMNS}) SELECT ${COLUMNS} FROM batches WHERE seq = ?
     ON CONFLICT DO NOTHING`,
    seq,
  );
}
