import { readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type EventLine, readEventLine } from '#contract/event-lines.ts';
import { journalOf, parseToken, type SeqRange, seqOf } from '#storage/shipment-token.ts';
import { syncFolder } from '#storage/sync-folder.ts';
import { type ArchiveEntry, type ArchivePart, toArchiveFrame, toParts } from './archive-frame.ts';

import { listArchive } from './read-archive.ts';

/** Which lines of the archive are to go. */
export type ForgottenLines = {
  /** The batches that hold them, as their ids. */
  readonly batchIds: readonly string[];
  /** A line without one of these texts stays unread. */
  readonly texts: readonly string[];
  /** Whether a line of these batches and texts goes. */
  isForgotten(event: EventLine): boolean;
};

/** Bytes of the archive that nobody could look into. They stay as they are. */
export type UnreadBytes = {
  /** Relative to the archive's folder. */
  readonly file: string;
  readonly from: number;
  readonly bytes: number;
  readonly reason: string;
};

/**
 * Takes lines out of the archive; answers how many. No writer may have a file open that holds any.
 *
 * - Shape: a file is written anew beside the old and renamed when it is on disk; frames without such
 *   lines are copied as they are. A file of which nothing is left goes, and its day with it unless
 *   it is the last. Safe to repeat.
 * - Why damaged bytes are kept and reported: nearly all of their lines are somebody else's, and none of
 *   them comes back into the warehouse. Whether the file may stay is the operator's to say.
 * - A torn end goes if its shipment holds such lines: that one is repeated in another file.
 */
export async function forgetArchived(
  folder: string,
  lines: ForgottenLines,
  onUnread: (unread: UnreadBytes) => void,
): Promise<number> {
  const holds = toHolds(lines.batchIds);
  const goes = toGoes(lines);
  let forgotten = 0;
  const files = listArchive(folder);
  const lastDay = dirname(files.at(-1)?.path ?? '');
  for (const { path } of files) {
    const report = ({ from, endsAt }: ArchivePart, reason: string) =>
      onUnread({ file: path, from, bytes: endsAt - from, reason });
    const bytes = await readFile(join(folder, path));
    const parts = [...toParts(bytes)];
    for (const part of parts) {
      if (part.kind === 'damaged') report(part, 'They are no sound frame.');
    }
    if (!parts.some(holds)) continue;
    const rest = await findRest(bytes, holds, goes, report);
    await replace(join(folder, path), rest.pieces);
    forgotten += rest.forgotten;
    // A writer may be about to open a file in the last day's folder.
    if (dirname(path) !== lastDay) await rmdir(join(folder, dirname(path))).catch(() => {});
  }
  return forgotten;
}

/** Whether a part may hold lines of the batches, as far as its header says. */
type Holds = (part: ArchivePart) => boolean;
/** Whether a line goes. */
type Goes = (line: string) => boolean;
type Report = (part: ArchivePart, reason: string) => void;

function toHolds(batchIds: readonly string[]): Holds {
  const seqsByJournal = Map.groupBy(batchIds.map(BigInt), journalOf);
  const sortedByJournal = new Map(
    [...seqsByJournal].map(([journal, ids]) => [journal, ids.map(seqOf).toSorted((a, b) => a - b)]),
  );
  return (part) => {
    if (part.kind === 'damaged') return false;
    const range = parseToken(part.token ?? '');
    return range !== undefined && hasBetween(sortedByJournal.get(range.journal) ?? [], range);
  };
}

function toGoes({ batchIds, texts, isForgotten }: ForgottenLines): Goes {
  const batches = new Set<unknown>(batchIds);
  return (line) => {
    if (!texts.some((text) => line.includes(text))) return false;
    const event = readEventLine(line);
    return batches.has(event.batch_id) && isForgotten(event);
  };
}

/** Whether one of the numbers, in rising order, lies in the range. */
function hasBetween(sorted: readonly number[], { firstSeq, lastSeq }: SeqRange): boolean {
  let from = 0;
  for (let to = sorted.length; from < to; ) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] as number) < firstSeq) from = middle + 1;
    else to = middle;
  }
  return (sorted[from] ?? Number.POSITIVE_INFINITY) <= lastSeq;
}

/** Bytes of a file that stay, and how many lines go. */
type Rest = { readonly pieces: readonly Buffer[]; readonly forgotten: number };

async function findRest(bytes: Buffer, holds: Holds, goes: Goes, report: Report): Promise<Rest> {
  const pieces: Buffer[] = [];
  let forgotten = 0;
  for (const part of toParts(bytes)) {
    const asItIs = bytes.subarray(part.from, part.endsAt);
    if (!holds(part)) pieces.push(asItIs);
    else if (part.kind === 'shipment') {
      try {
        const kept = await withoutForgotten(part, goes);
        forgotten += part.rows - kept.rows;
        if (kept.rows > 0) pieces.push(await toArchiveFrame({ token: part.token, ...kept }));
      } catch (error) {
        report(part, `${part.token}: ${(error as Error).message}`);
        pieces.push(asItIs);
      }
    }
  }
  return { pieces, forgotten };
}

/** Writes the file anew beside the old one, and puts it in its place; an empty one goes. */
async function replace(path: string, pieces: readonly Buffer[]): Promise<void> {
  const fresh = `${path}.fresh`;
  await writeFile(fresh, pieces, { mode: 0o600, flush: true });
  await rename(fresh, path);
  if (pieces.length === 0) await rm(path);
  syncFolder(dirname(path));
}

async function withoutForgotten(entry: ArchiveEntry, goes: Goes) {
  const all = (await entry.readLines()).toString().trimEnd().split('\n');
  const kept = all.filter((line) => !goes(line));
  return { rows: kept.length, lines: Buffer.from(kept.map((line) => `${line}\n`).join('')) };
}
