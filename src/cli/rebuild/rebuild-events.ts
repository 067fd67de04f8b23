import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listArchive, readArchiveFile } from '#journal/read-archive.ts';
import type { Warehouse } from '#warehouse/client.ts';
import type { Parcel, Progress } from './open-progress.ts';

/** What a rebuild of events needs. */
export type RebuildEventsOptions = {
  /** The archive's folder. */
  readonly archive: string;
  readonly warehouse: Pick<Warehouse, 'insertLines'>;
  readonly progress: Progress;
  /** Shipments that the journals will send again by themselves. */
  readonly underWay: ReadonlySet<string>;
  /** Told how many bytes of the archive are done. */
  onBytes(done: number): void;
};

/** What one run of it did. */
export type RebuiltEvents = {
  readonly events: number;
  /** Shipments whose lines do not match their checksum. */
  readonly damagedShipments: number;
};

/** One insert's worth: compressed, events take about a seventh of their size. */
const PARCEL_BYTES = 3_000_000;
const PARCEL_ROWS = 50_000;

type Loaded = {
  readonly parcel: Parcel;
  readonly lines: Buffer;
  readonly rows: number;
  readonly damaged: number;
};

/**
 * Inserts every shipment of the archive once, a repeated one by its token, and goes on where the
 * last run has ended.
 *
 * - Why a parcel is written down before it is sent: a repeated insert must be the very same for its
 *   token to be known (docs/decisions/0003).
 */
export async function rebuildEvents(options: RebuildEventsOptions): Promise<RebuiltEvents> {
  const { archive, warehouse, progress, onBytes } = options;
  let events = 0;
  let damagedShipments = 0;
  let earlierBytes = 0;

  async function send({ parcel, lines, rows }: Loaded): Promise<void> {
    const token = `rebuild-${parcel.path}-${parcel.from}-${parcel.to}`;
    if (rows > 0) await warehouse.insertLines('events', lines, token);
    progress.confirmParcel(parcel);
    events += rows;
  }

  const interrupted = progress.findParcel();
  if (interrupted !== undefined) await send(await loadAgain(archive, interrupted));
  for (const { path, sizeBytes } of listArchive(archive)) {
    for (;;) {
      const loaded = await loadNext(path, options);
      if (loaded === undefined) break;
      progress.beginParcel(loaded.parcel);
      await send(loaded);
      damagedShipments += loaded.damaged;
      onBytes(earlierBytes + loaded.parcel.to);
    }
    earlierBytes += sizeBytes;
    onBytes(earlierBytes);
  }
  return { events, damagedShipments };
}

/** The file's next parcel; `undefined` when nothing whole is left in it. */
async function loadNext(
  path: string,
  { archive, progress, underWay }: RebuildEventsOptions,
): Promise<Loaded | undefined> {
  const from = progress.doneTo(path);
  const parts = new Map<string, Buffer>();
  let to = from;
  let rows = 0;
  let damaged = 0;
  for await (const entry of readArchiveFile(join(archive, path), from)) {
    const { token } = entry;
    if (to > from && (rows + entry.rows > PARCEL_ROWS || entry.endsAt - from > PARCEL_BYTES)) break;
    to = entry.endsAt;
    if (parts.has(token) || underWay.has(token) || progress.isDone(token)) continue;
    const lines = await entry.readLines().catch(() => undefined);
    if (lines === undefined) {
      damaged += 1;
      continue;
    }
    parts.set(token, lines);
    rows += entry.rows;
  }
  if (to === from) return undefined;
  const parcel = { path, from, to, tokens: [...parts.keys()] };
  return { parcel, lines: Buffer.concat([...parts.values()]), rows, damaged };
}

/** The very same parcel that a killed run may have sent. Throws when the archive lacks it now. */
async function loadAgain(archive: string, parcel: Parcel): Promise<Loaded> {
  const wanted = new Set(parcel.tokens);
  const parts: Buffer[] = [];
  let rows = 0;
  const path = join(archive, parcel.path);
  if (existsSync(path)) {
    for await (const entry of readArchiveFile(path, parcel.from)) {
      if (wanted.delete(entry.token)) {
        parts.push(await entry.readLines());
        rows += entry.rows;
      }
      if (entry.endsAt >= parcel.to) break;
    }
  }
  if (wanted.size > 0) {
    throw new Error(
      `The archive lacks ${parcel.path}, where the last rebuild ended; "rebuild --fresh" begins anew.`,
    );
  }
  return { parcel, lines: Buffer.concat(parts), rows, damaged: 0 };
}
