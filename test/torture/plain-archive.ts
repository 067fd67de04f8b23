import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';

/** A shipment in the archive: its location, and its events. */
export type PlainShipment = {
  /** Relative to the archive's folder. */
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly token: string;
  readonly events: readonly PlainEvent[];
};

/** The oracle's identity of an event. */
export type PlainEvent = { readonly id: string; readonly type: string };

/** Magic number, length and checksum of the skippable frame before a shipment's lines. */
const HEADER_MAGIC = 0x184d2a50;
const MAGIC_AND_LENGTH_BYTES = 8;
const CHECKSUM_BYTES = 4;
/** The positions of an event's id and type in its line, which never change. */
const [ID, TYPE] = [4, 5];

/**
 * Every shipment of an undamaged archive, up to the torn end left by a kill, read without any of the server's code.
 * Throws if anything else is unsound.
 */
export function readArchivePlainly(dataDir: string): PlainShipment[] {
  const folder = join(dataDir, 'archive');
  return globSync('*/*.ndjson.zst', { cwd: folder })
    .toSorted()
    .flatMap((file) => [...readShipments(file, readFileSync(join(folder, file)))]);
}

function* readShipments(file: string, bytes: Buffer): Generator<PlainShipment> {
  for (let from = 0; from + MAGIC_AND_LENGTH_BYTES < bytes.length; ) {
    if (bytes.readUInt32LE(from) !== HEADER_MAGIC) throw new Error(`${file} is unsound at ${from}`);
    const headerAt = from + MAGIC_AND_LENGTH_BYTES;
    const linesAt = headerAt + bytes.readUInt32LE(from + 4);
    if (linesAt > bytes.length) return;
    const header = JSON.parse(bytes.toString('utf8', headerAt + CHECKSUM_BYTES, linesAt));
    const { token, sizeBytes } = header as { token: string; sizeBytes: number };
    const to = linesAt + sizeBytes;
    if (to > bytes.length) return;
    yield { file, from, to, token, events: readEvents(bytes.subarray(linesAt, to)) };
    from = to;
  }
}

function readEvents(compressed: Buffer): PlainEvent[] {
  const lines = zstdDecompressSync(compressed).toString().trimEnd().split('\n');
  return lines.map((line) => {
    const values = JSON.parse(line) as unknown[];
    return { id: String(values[ID]), type: String(values[TYPE]) };
  });
}

/** Every event in these shipments, with its number of shipments; a repeated one counts once. */
export function countEvents(shipments: readonly PlainShipment[]): Map<string, number> {
  const counts = new Map<string, number>();
  const tokens = new Set<string>();
  for (const { token, events } of shipments) {
    if (tokens.has(token)) continue;
    tokens.add(token);
    for (const { id } of events) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
