import type { StatementSync } from 'node:sqlite';
import { openQueue, type QueueFile, queuePathsIn, type ShippingPlaces } from './queue-files.ts';

/** Up to which batch each queue was read, by its file. */
export type QueueMarks = ReadonlyMap<string, number>;

/** Events of some sites that wait to be shipped. */
export type ReadEvents = {
  /** Rows of the warehouse's `events`, one as a line of JSON. */
  readonly lines: readonly string[];
  readonly marks: QueueMarks;
  /** There was more than is read at a time: the oldest are left out. */
  readonly isCut: boolean;
};

/** Looks at accepted events before they are shipped, in the queues of all processes. */
export interface WaitingEvents {
  /** Where every queue ends now. */
  findEnds(): QueueMarks;
  /** What came behind the marks, and may have been shipped meanwhile: that is not seen here. */
  read(after: QueueMarks, siteIds: readonly string[]): ReadEvents;
  close(): void;
}

/** So much of each queue is read at a time: a look must not keep requests waiting. */
const READ_MAX_BYTES = 512 * 1024;

type OpenQueue = QueueFile & { readonly behind: StatementSync; readonly end: StatementSync };

/**
 * Opens the queues for looking.
 *
 * Why beside the warehouse: an event is here at once after it is accepted, and there a second later, or,
 * while the warehouse is away, much later.
 */
export function watchWaitingEvents(places: ShippingPlaces): WaitingEvents {
  const queues = new Map<string, OpenQueue>();

  function findQueue(path: string): OpenQueue | undefined {
    const known = queues.get(path);
    if (known?.isThere() === true) return known;
    known?.db.close();
    queues.delete(path);
    const file = openQueue(path);
    if (file === undefined) return undefined;
    const { db } = file;
    const behind = db.prepare(`SELECT seq, lines FROM batches WHERE seq > ? ORDER BY seq DESC`);
    const end = db.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'batches'`);
    const queue = { ...file, behind, end };
    queues.set(path, queue);
    return queue;
  }

  function readBehind(queue: OpenQueue, mark: number, siteIds: readonly string[]) {
    const batches: string[] = [];
    let sizeBytes = 0;
    let newest = mark;
    for (const row of queue.behind.iterate(mark)) {
      const lines = Buffer.from(row.lines as Uint8Array);
      newest = Math.max(newest, Number(row.seq));
      sizeBytes += lines.length;
      if (sizeBytes > READ_MAX_BYTES) return { batches, newest, isCut: true };
      if (siteIds.some((id) => lines.includes(markOf(id)))) batches.push(lines.toString());
    }
    return { batches, newest, isCut: false };
  }

  return {
    findEnds() {
      const ends = queuePathsIn(places).map(
        (path) => [path, Number(findQueue(path)?.end.get()?.seq ?? 0)] as const,
      );
      return new Map(ends);
    },
    read(after, siteIds) {
      const marks = new Map<string, number>();
      const found: string[] = [];
      let isCut = false;
      for (const path of queuePathsIn(places)) {
        const queue = findQueue(path);
        if (queue === undefined) continue;
        const read = readBehind(queue, after.get(path) ?? 0, siteIds);
        marks.set(path, read.newest);
        found.push(...read.batches);
        isCut ||= read.isCut;
      }
      const lines = found
        .flatMap((batch) => batch.split('\n'))
        .filter((line) => siteIds.some((id) => line.includes(markOf(id))));
      return { lines, marks, isCut };
    },
    close() {
      for (const { db } of queues.values()) db.close();
      queues.clear();
    },
  };
}

/** What every line of a site holds, behind its batch; a line of another may by chance. */
function markOf(siteId: string): string {
  return `",${JSON.stringify(siteId)},`;
}
