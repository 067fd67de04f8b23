import { dirname, join } from 'node:path';
import { readEventHeads } from '#contract/event-heads.ts';
import { parseToken, seqOf, toJournalToken } from '#storage/shipment-token.ts';
import type { ArchivedShipment } from './archive-frame.ts';
import { listArchive, readWhatIsReadable } from './read-archive.ts';

const DAY_MS = 86_400_000;

/** Tells what of a journal's shipment the archive lacks. */
export interface UnarchivedSearch {
  /** The lines that are in no frame, under a token of their own where others of the shipment are. */
  findUnarchived(shipment: ArchivedShipment): Promise<ArchivedShipment>;
}

/**
 * A search in the archive's `folder`, for batches that came out of a damaged journal: it says no more
 * which of them went together, and a rebuild knows a repetition by its token alone.
 *
 * - Why from the day before they were accepted: nothing is archived earlier, but a clock may have been
 *   set back.
 * - Why the last batch is kept: a long backlog lies behind all that is archived, and is not searched for.
 */
export function createUnarchivedSearch(folder: string): UnarchivedSearch {
  const lastByJournal = new Map<number, number>();
  return {
    async findUnarchived(shipment) {
      const wanted = parseToken(shipment.token);
      if (wanted === undefined || shipment.rows === 0) return shipment;
      const { journal, firstSeq } = wanted;
      if (firstSeq > (lastByJournal.get(journal) ?? Number.POSITIVE_INFINITY)) return shipment;
      const found = await searchArchive(folder, shipment, wanted);
      lastByJournal.set(journal, found.lastSeq);
      return without(shipment, journal, found.names);
    },
  };
}

type Wanted = NonNullable<ReturnType<typeof parseToken>>;

/** How often each event of the wanted batches is archived, and the journal's last batch that is. */
async function searchArchive(folder: string, { lines }: ArchivedShipment, wanted: Wanted) {
  const seen = new Set<string>();
  const names = new Map<string, number>();
  let lastSeq = 0;
  for await (const { entry, range } of framesOf(wanted.journal, folder, dayBefore(lines))) {
    lastSeq = Math.max(lastSeq, range.lastSeq);
    if (range.lastSeq < wanted.firstSeq || range.firstSeq > wanted.lastSeq) continue;
    // What is damaged is not there: a rebuild would not find it either.
    const archived = await entry.readLines().catch(() => undefined);
    if (archived === undefined || seen.has(entry.token)) continue;
    seen.add(entry.token);
    for (const name of namesOf(archived)) names.set(name, (names.get(name) ?? 0) + 1);
  }
  return { names, lastSeq };
}

/** The journal's shipments since the day. */
async function* framesOf(journal: number, folder: string, day: string) {
  for (const path of filesSince(folder, day)) {
    for await (const entry of readWhatIsReadable(path, 0)) {
      if (entry.kind !== 'shipment') continue;
      const range = parseToken(entry.token);
      if (range?.journal === journal) yield { entry, range };
    }
  }
}

function filesSince(folder: string, day: string): string[] {
  return listArchive(folder)
    .filter(({ path }) => dirname(path) >= day)
    .map(({ path }) => join(folder, path));
}

function dayBefore(lines: Buffer): string {
  let first = Date.now();
  for (const { acceptedAt } of readEventHeads(lines)) first = Math.min(first, acceptedAt);
  return new Date(first - DAY_MS).toISOString().slice(0, 10);
}

function namesOf(lines: Buffer): string[] {
  return [...readEventHeads(lines)].map(({ batchId, eventId }) => `${batchId} ${eventId}`);
}

function without(
  shipment: ArchivedShipment,
  journal: number,
  archived: Map<string, number>,
): ArchivedShipment {
  const texts = shipment.lines.toString().split('\n').filter(Boolean);
  const lacking = namesOf(shipment.lines).flatMap((name, place) => {
    const count = archived.get(name) ?? 0;
    archived.set(name, count - 1);
    return count > 0 ? [] : [{ name, text: texts[place] }];
  });
  if (lacking.length === texts.length) return shipment;
  const seqs = lacking.map(({ name }) => seqOf(BigInt(name.split(' ', 1)[0] ?? 0)));
  const range = { firstSeq: seqs[0] ?? 0, lastSeq: seqs.at(-1) ?? 0 };
  const lines = Buffer.from(lacking.map(({ text }) => `${text}\n`).join(''));
  return { token: toJournalToken(journal, range), rows: lacking.length, lines };
}
