import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ArchivePart, listArchive, readWhatIsReadable } from '#journal/read-archive.ts';
import type { Warehouse } from '#warehouse/client.ts';
import type { Parcel, Progress, SkippedBytes } from './open-progress.ts';

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

/** What a rebuild of events has come to. */
export type RebuiltEvents = {
  /** Inserted by this run. */
  readonly events: number;
  /** What is damaged in the archive, whichever run found it. */
  readonly skipped: readonly SkippedBytes[];
};

/** One insert's worth: compressed, events take about a seventh of their size. */
const PARCEL_BYTES = 3_000_000;
const PARCEL_ROWS = 50_000;

type Loaded = {
  readonly parcel: Parcel;
  readonly lines: Buffer;
  readonly rows: number;
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
      onBytes(earlierBytes + loaded.parcel.to);
    }
    earlierBytes += sizeBytes;
    onBytes(earlierBytes);
  }
  return { events, skipped: progress.listSkipped() };
}

/** The file's next parcel; `undefined` when nothing whole is left in it. Notes what is damaged. */
async function loadNext(
  path: string,
  { archive, progress, underWay }: RebuildEventsOptions,
): Promise<Loaded | undefined> {
  const from = progress.doneTo(path);
  const parts = new Map<string, Buffer>();
  let to = from;
  let rows = 0;
  for await (const part of readWhatIsReadable(join(archive, path), from)) {
    if (part.kind === 'damaged') progress.noteSkipped(toSkipped(path, part));
    if (part.kind !== 'shipment') continue;
    const { token, endsAt } = part;
    if (to > from && (rows + part.rows > PARCEL_ROWS || endsAt - from > PARCEL_BYTES)) break;
    to = endsAt;
    if (parts.has(token) || underWay.has(token) || progress.isDone(token)) continue;
    const lines = await part.readLines().catch(() => undefined);
    if (lines === undefined) {
      progress.noteSkipped(toSkipped(path, part));
      continue;
    }
    parts.set(token, lines);
    rows += part.rows;
  }
  if (to === from) return undefined;
  const parcel = { path, from, to, tokens: [...parts.keys()] };
  return { parcel, lines: Buffer.concat([...parts.values()]), rows };
}

function toSkipped(path: string, { kind, from, endsAt }: ArchivePart): SkippedBytes {
  return { path, from, to: endsAt, isShipment: kind === 'shipment' };
}

/** The very same parcel that a killed run may have sent. Throws when the archive lacks it now, or the disk does not give it. */
async function loadAgain(archive: string, parcel: Parcel): Promise<Loaded> {
  const wanted = new Set(parcel.tokens);
  const parts: Buffer[] = [];
  let rows = 0;
  const path = join(archive, parcel.path);
  if (existsSync(path)) {
    for await (const part of readWhatIsReadable(path, parcel.from)) {
      if (part.kind === 'shipment' && wanted.has(part.token)) {
        const lines = await part.readLines().catch(() => undefined);
        if (lines !== undefined) {
          parts.push(lines);
          rows += part.rows;
          wanted.delete(part.token);
        }
      }
      if (part.endsAt >= parcel.to) break;
    }
  }
  if (wanted.size > 0) throw toGoneError(path, parcel);
  return { parcel, lines: Buffer.concat(parts), rows };
}

function toGoneError(file: string, { path, from, to }: Parcel): Error {
  const what = existsSync(file)
    ? `The archive’s ${path} cannot be read between the bytes ${from} and ${to}`
    : `The archive lacks ${path}`;
  return new Error(`${what}, where the last rebuild ended; "rebuild --fresh" begins anew.`);
}
