import { type FileHandle, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type EventLine, readEventLine } from '#contract/event-lines.ts';
import { journalOf, parseToken, type SeqRange, seqOf } from '#storage/shipment-token.ts';
import { toArchiveFrame } from './archive-frame.ts';
import {
  type ArchiveEntry,
  type ArchivePart,
  listArchive,
  readArchiveFile,
} from './read-archive.ts';

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

/** How much is copied at a time. */
const COPIED_BYTES = 1_048_576;

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
    if (await hasSome(join(folder, path), holds, report)) {
      forgotten += await rewrite(join(folder, path), holds, goes, report);
      // A writer may be about to open a file in the last day's folder.
      if (dirname(path) !== lastDay) await rmdir(join(folder, dirname(path))).catch(() => {});
    }
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

async function hasSome(path: string, holds: Holds, report: Report): Promise<boolean> {
  let found = false;
  for await (const part of readArchiveFile(path, 0)) {
    if (part.kind === 'damaged') report(part, 'They are no sound frame.');
    found ||= holds(part);
  }
  return found;
}

async function rewrite(path: string, holds: Holds, goes: Goes, report: Report): Promise<number> {
  let forgotten = 0;
  const fresh = `${path}.fresh`;
  const file = await open(fresh, 'w', 0o600);
  const old = await open(path, 'r');
  let isEmpty = true;
  try {
    for await (const part of readArchiveFile(path, 0)) {
      if (!holds(part)) await copyBytes(old, file, part);
      else if (part.kind === 'shipment') {
        const kept = await withoutForgotten(part, goes).catch((error: Error) => {
          report(part, `${part.token}: ${error.message}`);
          return undefined;
        });
        if (kept === undefined) await copyBytes(old, file, part);
        else {
          forgotten += part.rows - kept.rows;
          if (kept.rows > 0) {
            await file.writeFile(await toArchiveFrame({ token: part.token, ...kept }));
          }
        }
      }
    }
    isEmpty = (await file.stat()).size === 0;
    await file.sync();
  } finally {
    await old.close();
    await file.close();
  }
  await rename(fresh, path);
  if (isEmpty) await rm(path);
  const day = await open(dirname(path), 'r');
  await day.sync().finally(() => day.close());
  return forgotten;
}

async function copyBytes(
  old: FileHandle,
  file: FileHandle,
  { from, endsAt }: ArchivePart,
): Promise<void> {
  for (let at = from; at < endsAt; ) {
    const buffer = Buffer.alloc(Math.min(COPIED_BYTES, endsAt - at));
    const { bytesRead } = await old.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) throw new Error('A file of the archive has become shorter.');
    await file.writeFile(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

async function withoutForgotten(entry: ArchiveEntry, goes: Goes) {
  const all = (await entry.readLines()).toString().trimEnd().split('\n');
  const kept = all.filter((line) => !goes(line));
  return { rows: kept.length, lines: Buffer.from(kept.map((line) => `${line}\n`).join('')) };
}
