import { toLineOpening, toLineTail } from '#contract/rows/event-lines.ts';
import type { KeptEvent } from '#contract/rows/event-row.ts';
import type { Identity } from '#domain/identity/identity.ts';
import type { EventsOutcome } from '#domain/outcome.ts';
import { checksumOf, numbersAfter } from '#storage/batch.ts';
import type { Sql, SqlValue } from '#storage/sql/sql.ts';
import { readCounter, saveCounter } from '../schema/counters.ts';
import { findIdentity, saveIdentity } from './identity-store.ts';

/** An event for the outbox. */
export type LedgerEvent = {
  readonly siteId: string;
  /** Deduplication id: the event is skipped if its site has sent this id recently. */
  readonly onceId: string | undefined;
  /** The event, as serialized by `toLineTail`. */
  readonly lineTail: string;
  /** The identity that the event states, if any. */
  readonly identity?: Identity | undefined;
};

/** The event of a row. */
export function toLedgerEvent({ row, onceId, proof = 'key' }: KeptEvent): LedgerEvent {
  const identity = findIdentity(row, proof);
  return { siteId: row.site_id, onceId, lineTail: toLineTail(row), identity };
}

interface RecordEvents {
  add(events: readonly LedgerEvent[]): Promise<EventsOutcome>;
  /** Writes the batches. */
  flush(): Promise<void>;
}

/** Maximum batch size. A shipment cannot be smaller than a batch, so large groups are split. */
const BATCH_ROWS = 5_000;

/** Numbers of batches begin after this one, so that they never repeat. */
const OPENED_AFTER = numbersAfter(0);

/** Begins with a group: the ids of events that will be added are looked up at once. */
export async function beginEvents(
  sql: Sql,
  group: readonly (readonly LedgerEvent[])[],
  at: number,
): Promise<RecordEvents> {
  const looked = new Set(group);
  const isNew = await claim(group.flat().filter(({ identity }) => identity === undefined));
  const lineTails: string[] = [];

  function claim(events: readonly LedgerEvent[]) {
    const ids = events.flatMap(({ siteId, onceId: eventId }) =>
      eventId === undefined ? [] : [{ siteId, eventId }],
    );
    return claimEventIds(sql, ids, at);
  }

  async function isFirst(event: LedgerEvent, wasLooked: boolean): Promise<boolean> {
    const { siteId, onceId } = event;
    if (onceId === undefined) return true;
    return wasLooked ? isNew(siteId, onceId) : (await claim([event]))(siteId, onceId);
  }

  return {
    async add(events) {
      let isNews = false;
      const conflicts: number[] = [];
      for (const [index, event] of events.entries()) {
        const { identity } = event;
        if (identity !== undefined && !(await saveIdentity(sql, identity))) {
          conflicts.push(index);
          continue;
        }
        if (!(await isFirst(event, identity === undefined && looked.has(events)))) continue;
        lineTails.push(event.lineTail);
        isNews = true;
      }
      const kind = isNews ? 'recorded' : 'unchanged';
      return { kind, ...(conflicts.length > 0 && { conflicts }) };
    },
    async flush() {
      if (lineTails.length > 0) await addBatches(sql, lineTails);
    },
  };
}

async function addBatches(sql: Sql, lineTails: readonly string[]): Promise<void> {
  const batches: SqlValue[][] = [];
  let sizeBytes = 0;
  let seq = Math.max(await readCounter(sql, 'outbox_seq'), OPENED_AFTER);
  for (let from = 0; from < lineTails.length; from += BATCH_ROWS) {
    seq += 1;
    const tails = lineTails.slice(from, from + BATCH_ROWS);
    // The outbox is journal 0, so its batch ids equal its sequence numbers.
    const opening = toLineOpening(seq);
    const lines = Buffer.from(tails.map((tail) => opening + tail).join(''));
    batches.push([seq, tails.length, lines, checksumOf({ seq, rows: tails.length, lines })]);
    sizeBytes += lines.length;
  }
  await sql.insert({ into: 'batches', columns: ['seq', 'rows', 'lines', 'crc'], rows: batches });
  await saveCounter(sql, 'outbox_seq', seq);
  await sql.run("UPDATE counters SET value = value + ? WHERE name = 'outbox_bytes'", sizeBytes);
}

/**
 * Records ids of events, by which they are deduplicated. Returns which of them were new on their site: the first of equal
 * ones, if none was known.
 */
async function claimEventIds(
  sql: Sql,
  ids: readonly { readonly siteId: string; readonly eventId: string }[],
  at: number,
): Promise<(siteId: string, eventId: string) => boolean> {
  const rows = ids.map(({ siteId, eventId }) => [siteId, toBytes(eventId), at] as const);
  const added = await sql.insert({
    ...{ into: 'event_ids', columns: ['site_id', 'event_id', 'created_at'], rows },
    end: 'ON CONFLICT DO NOTHING RETURNING site_id, event_id',
  });
  const unclaimed = new Set(
    added.map(({ site_id, event_id }) => nameOf(String(site_id), event_id as Uint8Array)),
  );
  return (siteId, eventId) => unclaimed.delete(nameOf(siteId, toBytes(eventId)));
}

function nameOf(siteId: string, eventId: Uint8Array): string {
  return `${siteId} ${Buffer.from(eventId).toString('hex')}`;
}

/** The bytes of a UUID: half the size of its text, and independent of case. */
function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}
