import { open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type EventLine, readEventLine } from '#warehouse/event-lines.ts';
import { toArchiveFrame } from './archive-frame.ts';
import { type ArchiveEntry, listArchive, readArchiveFile } from './read-archive.ts';

/** Which lines of the archive are to go. */
export type ForgottenLines = {
  /** The batches that hold them, as their ids. */
  readonly batchIds: readonly string[];
  /** A line without one of these texts stays unread. */
  readonly texts: readonly string[];
  /** Whether a line of these texts goes. */
  isForgotten(event: EventLine): boolean;
};

/**
 * Takes lines out of the archive; answers how many. No writer may have a file open that holds any.
 *
 * - Shape: a file is written anew beside the old and renamed when it is on disk; frames without such
 *   lines are copied as they are. A file of which nothing is left goes, and its day with it unless
 *   it is the last. Safe to repeat.
 */
export async function forgetArchived(folder: string, lines: ForgottenLines): Promise<number> {
  const seqsByJournal = Map.groupBy(lines.batchIds.map(BigInt), (id) => Number(id >> 40n));
  const sortedByJournal = new Map(
    [...seqsByJournal].map(([journal, ids]) => [
      journal,
      ids.map((id) => Number(id & 0xff_ffff_ffffn)).toSorted((a, b) => a - b),
    ]),
  );
  const holds = (entry: ArchiveEntry) => {
    const range = parseToken(entry.token);
    return range !== undefined && hasBetween(sortedByJournal.get(range.journal) ?? [], range);
  };
  let forgotten = 0;
  const files = listArchive(folder);
  const lastDay = dirname(files.at(-1)?.path ?? '');
  for (const { path } of files) {
    if (await hasSome(join(folder, path), holds)) {
      forgotten += await rewrite(join(folder, path), holds, lines);
      // A writer may be about to open a file in the last day's folder.
      if (dirname(path) !== lastDay) await rmdir(join(folder, dirname(path))).catch(() => {});
    }
  }
  return forgotten;
}

/** Whether one of the numbers, in rising order, lies in the range. */
function hasBetween(
  sorted: readonly number[],
  { first, last }: { readonly first: number; readonly last: number },
): boolean {
  let from = 0;
  for (let to = sorted.length; from < to; ) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] as number) < first) from = middle + 1;
    else to = middle;
  }
  return (sorted[from] ?? Number.POSITIVE_INFINITY) <= last;
}

function parseToken(token: string) {
  const [, journal = '0', first, last] = /^(?:journal-(\d+)|ledger)-(\d+)-(\d+)$/.exec(token) ?? [];
  if (first === undefined) return undefined;
  return { journal: Number(journal), first: Number(first), last: Number(last) };
}

async function hasSome(path: string, holds: (entry: ArchiveEntry) => boolean): Promise<boolean> {
  for await (const part of readArchiveFile(path, 0)) {
    if (part.kind === 'shipment' && holds(part)) return true;
  }
  return false;
}

async function rewrite(
  path: string,
  holds: (entry: ArchiveEntry) => boolean,
  lines: ForgottenLines,
): Promise<number> {
  let forgotten = 0;
  let isEmpty = true;
  const fresh = `${path}.fresh`;
  const file = await open(fresh, 'w', 0o600);
  const old = await open(path, 'r');
  try {
    let from = 0;
    for await (const entry of readArchiveFile(path, 0)) {
      if (entry.kind !== 'shipment') continue;
      const kept = holds(entry) ? await withoutForgotten(entry, lines) : undefined;
      if (kept === undefined) {
        const bytes = Buffer.alloc(entry.endsAt - from);
        await old.read(bytes, 0, bytes.length, from);
        await file.writeFile(bytes);
        isEmpty = false;
      } else {
        forgotten += entry.rows - kept.rows;
        if (kept.rows > 0) {
          isEmpty = false;
          await file.writeFile(await toArchiveFrame({ token: entry.token, ...kept }));
        }
      }
      from = entry.endsAt;
    }
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

async function withoutForgotten(entry: ArchiveEntry, { texts, isForgotten }: ForgottenLines) {
  const all = (await entry.readLines()).toString().trimEnd().split('\n');
  const kept = all.filter(
    (line) => !texts.some((text) => line.includes(text)) || !isForgotten(readEventLine(line)),
  );
  return { rows: kept.length, lines: Buffer.from(kept.map((line) => `${line}\n`).join('')) };
}
