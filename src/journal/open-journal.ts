import { toLineOpening, toLineTail } from '#contract/event-lines.ts';
import type { EventRow } from '#contract/event-row.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { crashPoint } from '#storage/crash-points.ts';
import { createGroupCommit } from '#storage/group-commit.ts';
import { JOURNAL, toBatchId } from '#storage/shipment-token.ts';
import { startThread } from '#storage/worker-calls.ts';
import type { JournalCall, JournalNote, JournalThreadOptions } from './journal-thread.ts';

/** The journal as the web process sees it. */
export interface Journal {
  /** Resolves once every row is fsynced. Throws UnavailableError when the disk refuses, or there is no room. */
  append(rows: readonly EventRow[]): Promise<void>;
  /** Throws UnavailableError when too much waits to be shipped. */
  assertRoom(): void;
  /** Lets the shipper know that the ledger has something to ship. */
  wake(): void;
  /** Resolves when the warehouse has every event accepted before. Throws UnavailableError when that takes long. */
  ship(): Promise<void>;
  /** Bytes that wait to be shipped, here and elsewhere, as last reported. */
  backlogBytes(): number;
  /** For how many seconds the oldest event has waited to be shipped, about; 0 when none waits. */
  behindSeconds(): number;
  /** Batches that are kept aside, as they are damaged or the warehouse cannot read them. */
  setAsideBatches(): number;
  /** Has the next shipment begin another file of the archive. */
  leaveArchiveFile(): void;
  /** Ships all that is there. Throws UnavailableError when the warehouse does not take it. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Where the journal lies, where it ships to, and who hears of failures. */
export type JournalOptions = JournalThreadOptions & {
  /** The thread's module, which calls `runJournalThread`. */
  readonly thread: URL;
  /** From this backlog on nothing more is taken, until some of it is shipped. */
  readonly backlogMaxBytes: number;
  /** Bytes that wait elsewhere to be shipped and count into this backlog. */
  otherBacklogBytes?(): number;
  /** Milliseconds of a clock that never leaps; the machine's own when left out. */
  readonly monotonic?: () => number;
  onShipFailure(message: string): void;
  /** Called for damage, and for batches that are set aside. */
  onTrouble(message: string): void;
  /** The thread died: nothing can be accepted any more. */
  onDeath(error: unknown): void;
};

/** A full journal empties shipment by shipment: a sooner retry is in vain. */
const FULL_RETRY_SECONDS = 5;

/** Groups in front of the thread: it commits all that wait with one fsync, without a turn of this process between. */
const GROUPS_UNDER_WAY = 4;
/** Wake-ups of so long are sent as one: each wakes a sleeping thread, and shipping waits for a second anyway. */
const WAKE_GATHER_MS = 20;

/** How long events may take until they are shipped, for those who wait. */
const SHIPPED_MAX_MS = 5_000;

/** Opens the journal in a worker thread of its own; resolves when it can take events. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { thread: module, onShipFailure, onTrouble, onDeath, ...others } = options;
  const {
    backlogMaxBytes,
    otherBacklogBytes = () => 0,
    monotonic = () => performance.now(),
    ...workerData
  } = others;
  let backlog = { sizeBytes: 0, setAsideBatches: 0 };
  let shippedUpTo = monotonic();
  let isOpen = false;
  const thread = startThread<JournalCall, JournalNote>(module, workerData, {
    note(note) {
      if (note.kind === 'backlog') noteBacklog(note);
      else if (note.kind === 'shipped') shippedUpTo = monotonic() - note.agoMs;
      else if (note.kind === 'trouble') onTrouble(note.message);
      else onShipFailure(note.message);
    },
    death: (error) => isOpen && onDeath(error),
  });
  function noteBacklog(next: typeof backlog): void {
    if (backlog.sizeBytes === 0 && next.sizeBytes > 0) shippedUpTo = monotonic();
    backlog = next;
  }

  let lastSeq = Number(await thread.call({ kind: 'open' }));
  isOpen = true;
  let comingBytes = 0; // Not on disk yet: others find as much less room.
  let waking: NodeJS.Timeout | undefined;
  /** A dead thread is reported already. */
  const tell = (kind: 'wake' | 'leave_archive_file') => void thread.call({ kind }).catch(() => {});
  const backlogBytes = () => backlog.sizeBytes + otherBacklogBytes();

  /** Throws UnavailableError where the call fails. */
  async function call(called: JournalCall, message: string): Promise<void> {
    try {
      await thread.call(called);
    } catch (error) {
      throw new UnavailableError(message, error);
    }
  }

  const commits = createGroupCommit<string[], undefined>(
    async (group) => {
      lastSeq += 1;
      const opening = toLineOpening(toBatchId(JOURNAL, lastSeq));
      let lines = '';
      let rows = 0;
      for (const tails of group) {
        for (const tail of tails) lines += opening + tail;
        rows += tails.length;
      }
      const batch = { seq: lastSeq, rows, lines };
      await call({ kind: 'append', batch }, 'Events cannot be written to disk just now.');
      return new Array<undefined>(group.length).fill(undefined);
    },
    // Requests that were read together are committed together: each group wakes the thread once.
    { gather: setImmediate, underWayMax: GROUPS_UNDER_WAY },
  );

  function assertRoom(): void {
    if (backlogBytes() + comingBytes < backlogMaxBytes) return;
    const message = 'The journal is full until the warehouse takes its events.';
    throw new UnavailableError(message, undefined, FULL_RETRY_SECONDS);
  }

  return {
    assertRoom,
    backlogBytes,
    behindSeconds: () =>
      backlog.sizeBytes === 0 ? 0 : Math.floor((monotonic() - shippedUpTo) / 1_000),
    setAsideBatches: () => backlog.setAsideBatches,
    async append(rows) {
      assertRoom();
      const tails = rows.map(toLineTail);
      let sizeBytes = 0;
      for (const tail of tails) sizeBytes += tail.length;
      comingBytes += sizeBytes;
      try {
        if (tails.length > 0) await commits.add(tails);
      } finally {
        comingBytes -= sizeBytes;
      }
      crashPoint('before', 'answer');
    },
    wake() {
      waking ??= setTimeout(() => {
        waking = undefined;
        tell('wake');
      }, WAKE_GATHER_MS);
    },
    async ship() {
      const message = 'Events accepted before are not in the warehouse yet.';
      const late = Promise.withResolvers<void>();
      const fail = () => late.reject(new UnavailableError(message, 'it takes too long'));
      const timer = setTimeout(fail, SHIPPED_MAX_MS);
      await Promise.race([call({ kind: 'ship' }, message), late.promise]).finally(() =>
        clearTimeout(timer),
      );
    },
    leaveArchiveFile: () => tell('leave_archive_file'),
    drain: () => call({ kind: 'drain' }, 'The journal is not shipped.'),
    close() {
      clearTimeout(waking);
      return thread.close();
    },
  };
}
