import { toLineOpening, toLineTail } from '#contract/rows/event-lines.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import type { JobFigures } from '#jobs/job-figures.ts';
import { workInTime } from '#jobs/wait.ts';
import { crashPoint } from '#storage/crash-points.ts';
import { createGroupCommit } from '#storage/group-commit.ts';
import { JOURNAL, toBatchId } from '#storage/shipment-token.ts';
import { startThread } from '#storage/worker-calls.ts';
import type { JournalCalls, JournalNews, JournalThreadOptions } from './journal-thread.ts';

/** The journal as the web process sees it. */
export interface Journal {
  /** Resolves once every row is fsynced. Throws UnavailableError if the write fails or the journal is full. */
  append(rows: readonly EventRow[]): Promise<void>;
  /** Throws UnavailableError if the backlog is full (backpressure). */
  assertRoom(): void;
  /** Notifies the shipper that the ledger has something to ship. */
  wake(): void;
  /** Resolves when the warehouse has every event accepted before the call. Throws UnavailableError on timeout. */
  ship(): Promise<void>;
  /** Unshipped bytes, in the journal and elsewhere, as last reported. */
  backlogBytes(): number;
  /** Approximate age of the oldest unshipped event, in seconds; 0 without a backlog. */
  behindSeconds(): number;
  /** Number of batches set aside because they are damaged or the warehouse cannot read them. */
  setAsideBatches(): number;
  /** Makes the next shipment begin a new archive file. */
  leaveArchiveFile(): void;
  /** Ships the whole backlog. Throws UnavailableError if the warehouse does not accept it. */
  drain(): Promise<void>;
  /** The figures of the thread's jobs. */
  listJobs(): Promise<readonly JobFigures[]>;
  close(): Promise<void>;
}

/** Location, target, limits and callbacks of the journal. */
export type JournalOptions = JournalThreadOptions & {
  /** The thread's module, which calls `runJournalThread`. */
  readonly thread: URL;
  /** At this backlog, new events are refused until some are shipped. */
  readonly backlogMaxBytes: number;
  /** Unshipped bytes elsewhere that count towards this backlog. */
  otherBacklogBytes?(): number;
  /** A monotonic clock in milliseconds. Default: the machine's. */
  readonly monotonic?: () => number;
  onShipFailure(message: string): void;
  /** Called for damage, and for batches set aside. */
  onTrouble(message: string): void;
  /** Called when the thread died. Nothing can be accepted any more. */
  onDeath(error: unknown): void;
};

/** `Retry-After` for a full journal. It empties shipment by shipment, so an earlier retry would fail. */
const FULL_RETRY_SECONDS = 5;

/** Groups queued at the thread. It commits all of them with one fsync, without a round trip in between. */
const GROUPS_IN_FLIGHT_MAX = 4;
/** Wake-ups within this time are coalesced. Each wakes the thread, and shipping waits a second anyway. */
const WAKE_GATHER_MS = 20;

/** Timeout of `ship`. */
const SHIPPED_MAX_MS = 5_000;

/** Opens the journal in a worker thread. Resolves when it accepts events. */
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
  const own: JournalNews = { noteBacklog, noteShipped, onTrouble, onShipFailure };
  const onThreadDeath = (error: unknown) => isOpen && onDeath(error);
  const thread = startThread<JournalCalls>(module, workerData, { own, onDeath: onThreadDeath });
  function noteShipped(agoMs: number): void {
    shippedUpTo = monotonic() - agoMs;
  }
  function noteBacklog(next: typeof backlog): void {
    if (backlog.sizeBytes === 0 && next.sizeBytes > 0) shippedUpTo = monotonic();
    backlog = next;
  }

  let lastSeq = await thread.calls.findLastSeq();
  isOpen = true;
  let inFlightBytes = 0; // Not on disk yet, but counted as backlog.
  let waking: NodeJS.Timeout | undefined;
  const backlogBytes = () => backlog.sizeBytes + otherBacklogBytes();

  /** Throws UnavailableError if the call fails. */
  async function call(called: Promise<unknown>, message: string): Promise<void> {
    try {
      await called;
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
      await call(thread.calls.append(batch), 'Events cannot be written to disk right now.');
      return new Array<undefined>(group.length).fill(undefined);
    },
    // Requests read in the same turn are committed together, so each group wakes the thread once.
    { gather: setImmediate, inFlightMax: GROUPS_IN_FLIGHT_MAX },
  );

  function assertRoom(): void {
    if (backlogBytes() + inFlightBytes < backlogMaxBytes) return;
    const message =
      'The journal is full. It accepts events again once some have been shipped to the warehouse.';
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
      inFlightBytes += sizeBytes;
      try {
        if (tails.length > 0) await commits.add(tails);
      } finally {
        inFlightBytes -= sizeBytes;
      }
      crashPoint('before', 'answer');
    },
    wake() {
      waking ??= setTimeout(() => {
        waking = undefined;
        void thread.tell.wake();
      }, WAKE_GATHER_MS);
    },
    async ship() {
      const message = 'Earlier events are not in the warehouse yet.';
      const timeout = Promise.withResolvers<void>();
      const fail = () => timeout.reject(new UnavailableError(message, 'timeout'));
      const shipped = call(thread.calls.ship(), message);
      await workInTime(SHIPPED_MAX_MS, () => Promise.race([shipped, timeout.promise]), fail);
    },
    leaveArchiveFile: () => void thread.tell.leaveArchiveFile(),
    drain: () => call(thread.calls.drain(), 'The journal could not be shipped.'),
    listJobs: () => thread.calls.listJobs(),
    close() {
      clearTimeout(waking);
      return thread.close();
    },
  };
}
