import { readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type EventLine, readEventLine } from '#contract/rows/event-lines.ts';
import { BLOCK_BITS, type CountedBatches } from '#domain/identity/counted-batches.ts';
import { journalOf, parseToken, toBatchId } from '#storage/shipment-token.ts';
import { syncFolder } from '#storage/sync-folder.ts';
import { type ArchivePart, toArchiveFrame, toParts } from './archive-frame.ts';
import { listArchive } from './read-archive.ts';

type ForgottenLines = {
  /** The batches that contain them. */
  readonly counted: readonly CountedBatches[];
  /** Lines without any of these texts are skipped without parsing. */
  readonly texts: readonly string[];
  /** Whether to delete a line with such a batch and text. */
  isForgotten(event: EventLine): boolean;
};

/** Damaged bytes of the archive that could not be searched. They stay unchanged. */
export type UnreadBytes = {
  /** Relative to the archive folder. */
  readonly file: string;
  readonly from: number;
  readonly bytes: number;
  readonly reason: string;
};

/**
 * Deletes lines from the archive and returns their number. No writer may have an affected file open.
 *
 * - Shape: rewrites each affected file atomically. Removes empty files, and empty days except the last.
 *   Idempotent.
 * - Keeps and reports damaged bytes: nearly all of their lines belong to others, and none returns to the
 *   warehouse. Deletes a torn end that may contain such lines, because its shipment is repeated in another
 *   file.
 */
export async function forgetArchived(
  folder: string,
  lines: ForgottenLines,
  onUnread: (unread: UnreadBytes) => void,
): Promise<number> {
  const holds = toHolds(lines.counted);
  const goes = toGoes(lines);
  const files = listArchive(folder);
  const lastDay = dirname(files.at(-1)?.path ?? '');
  let forgotten = 0;

  for (const { path } of files) {
    const bytes = await readFile(join(folder, path));
    const parts = [...toParts(bytes)];
    const report: Report = ({ from, endsAt }, reason) =>
      onUnread({ file: path, from, bytes: endsAt - from, reason });
    for (const part of parts.filter(({ kind }) => kind === 'damaged')) {
      report(part, 'The bytes are not a valid frame.');
    }
    if (!parts.some(holds)) continue;
    const pieces: Buffer[] = [];
    for (const part of parts) {
      const asItIs = { piece: bytes.subarray(part.from, part.endsAt), forgotten: 0 };
      const rest = holds(part) ? await findRest(part, goes, report) : asItIs;
      pieces.push((rest ?? asItIs).piece);
      forgotten += rest?.forgotten ?? 0;
    }
    await replace(join(folder, path), Buffer.concat(pieces));
    // A writer may be about to open a file in the last day's folder.
    if (dirname(path) !== lastDay) await rmdir(join(folder, dirname(path))).catch(() => {});
  }
  return forgotten;
}

/** Whether a part may contain lines of the batches, judging by its header. */
type Holds = (part: ArchivePart) => boolean;
/** Whether to delete a line. */
type Goes = (line: string) => boolean;
type Report = (part: ArchivePart, reason: string) => void;

function toHolds(counted: readonly CountedBatches[]): Holds {
  const blocksByJournal = new Map(counted.map((each) => [each.journal, new Set(each.blocks)]));
  const toBlock = (journal: number, seq: number) => Number(toBatchId(journal, seq) >> BLOCK_BITS);
  return (part) => {
    if (part.kind === 'damaged') return false;
    const range = parseToken(part.token ?? '');
    const blocks = range && blocksByJournal.get(range.journal);
    if (range === undefined || blocks === undefined) return false;
    const last = toBlock(range.journal, range.lastSeq);
    for (let block = toBlock(range.journal, range.firstSeq); block <= last; block++) {
      if (blocks.has(block)) return true;
    }
    return false;
  };
}

function toGoes({ counted, texts, isForgotten }: ForgottenLines): Goes {
  const lastByJournal = new Map(counted.map((each) => [each.journal, each.lastBatch]));
  return (line) => {
    if (!texts.some((text) => line.includes(text))) return false;
    const event = readEventLine(line);
    const batchId = BigInt(String(event.batch_id));
    return batchId <= (lastByJournal.get(journalOf(batchId)) ?? -1) && isForgotten(event);
  };
}

/** The rest of a part that may contain such lines, and their number; undefined if it cannot be read. */
async function findRest(part: ArchivePart, goes: Goes, report: Report) {
  const nothing = Buffer.alloc(0);
  if (part.kind !== 'shipment') return { piece: nothing, forgotten: 0 };
  const { token, rows } = part;
  try {
    const all = (await part.readLines()).toString().trimEnd().split('\n');
    const kept = all.filter((line) => !goes(line));
    const lines = Buffer.from(kept.map((line) => `${line}\n`).join(''));
    const rest = { token, rows: kept.length, lines };
    const piece = rest.rows === 0 ? nothing : await toArchiveFrame(rest);
    return { piece, forgotten: rows - rest.rows };
  } catch (error) {
    report(part, `${token}: ${(error as Error).message}`);
    return undefined;
  }
}

/** Replaces the file atomically. Removes it if it is empty. */
async function replace(path: string, bytes: Buffer): Promise<void> {
  const fresh = `${path}.fresh`;
  await writeFile(fresh, bytes, { mode: 0o600, flush: true });
  await rename(fresh, path);
  if (bytes.length === 0) await rm(path);
  syncFolder(dirname(path));
}
