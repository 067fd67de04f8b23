import { workerData } from 'node:worker_threads';
import { around } from '#storage/crash-points.ts';
import { createGroupCommit } from '#storage/group-commit.ts';
import { readTrustedNow } from '#storage/keep-clock.ts';
import type { ShipmentSource } from '#storage/shipment.ts';
import { answerCalls } from '#storage/worker-calls.ts';
import { createWarehouse, type WarehouseAddress } from '#warehouse/client.ts';
import { completeEvents } from '#warehouse/events/complete-events.ts';
import { RefusedLinesError } from '#warehouse/refused-lines.ts';
import { keepTables } from '#warehouse/tables/keep-tables.ts';
import { type ArchiveOptions, openArchive } from './archive/open-archive.ts';
import type { NewBatch } from './journal-file.ts';
import { openJournalFiles } from './journal-files.ts';
import { createShipper } from './shipper.ts';
import { shipAlone, shipTogether } from './shipping-lock.ts';

/** What the web process calls: `open` returns the last number that any batch ever had. */
export type JournalCall =
  | { readonly kind: 'append'; readonly batch: NewBatch }
  | { readonly kind: 'open' | 'wake' | 'ship' | 'drain' | 'leave_archive_file' };

/** What the thread reports by itself. */
export type JournalNote =
  | { readonly kind: 'backlog'; readonly sizeBytes: number; readonly setAsideBatches: number }
  /** All is in the warehouse that was accepted so many milliseconds ago. */
  | { readonly kind: 'shipped'; readonly agoMs: number }
  | { readonly kind: 'trouble' | 'ship_failed'; readonly message: string };

/** Where the thread finds everything. */
export type JournalThreadOptions = {
  /** The journal's folder. */
  readonly folder: string;
  /** Whether there was a journal before, so that it must be there. */
  readonly isKnown: boolean;
  readonly warehouse: WarehouseAddress;
  readonly ledgerPath: string;
  readonly ratesPath: string;
  /** The note of the clock. */
  readonly clockPath: string;
  /** Where shipped events are kept; they are not when left out. */
  readonly archive: Pick<ArchiveOptions, 'folder' | 'keepDays'> | undefined;
};

/** What else is shipped from the thread. */
export type OtherSources = { readonly sources: readonly ShipmentSource[]; close(): void };

/** How long a stop waits for the shipment under way. */
const SHIPMENT_END_MAX_MS = 1_000;

/**
 * Runs this thread as the one that owns the journal: it commits what the web process hands it, and ships
 * that and what `openOthers` opens. One thread with one connection to the file needs no locks.
 */
export function runJournalThread(
  openOthers: (options: JournalThreadOptions, onTrouble: (trouble: string) => void) => OtherSources,
): void {
  const options = workerData as JournalThreadOptions;
  const note = answerCalls<JournalCall, JournalNote>(answer);
  const onTrouble = (message: string) => note({ kind: 'trouble', message });
  const { folder, isKnown } = options;
  const journal = openJournalFiles(folder, { isKnown, onTrouble });
  const others = openOthers(options, onTrouble);
  const trustedNow = () => readTrustedNow(options.clockPath);
  const archive = options.archive && openArchive({ ...options.archive, trustedNow, onTrouble });
  const warehouse = createWarehouse(options.warehouse);
  const tables = keepTables({
    ...{ warehouse, address: options.warehouse, ratesPath: options.ratesPath },
    ...{ alone: shipAlone, report: onTrouble },
  });
  const shipper = createShipper({
    sources: [journal, ...others.sources],
    onEnd: noteBacklog,
    onShipped: (agoMs) => note({ kind: 'shipped', agoMs }),
    async insertLines(table, lines, token) {
      const step = token === undefined ? 'payments insert' : 'warehouse insert';
      const insert = () => shipTogether(() => warehouse.insertLines(table, lines, token));
      // Events that arrive before the views are there would never be in them.
      await tables.use(() => around(step, insert));
    },
    complete({ lines }) {
      const complete = () => shipAlone(() => completeEvents(warehouse, lines));
      return tables.use(() => around('completion', complete));
    },
    isRefusal: (error) => error instanceof RefusedLinesError,
    async archive({ token, rows, lines }) {
      // Payments have no token and need no archive: the ledger keeps them.
      if (token === undefined || archive === undefined) return;
      await around('archive', () => archive.keep({ token, rows, lines }));
    },
    onFailure: (error) => note({ kind: 'ship_failed', message: String(error) }),
  });

  function noteBacklog(): void {
    const sizeBytes = journal.backlogBytes();
    note({ kind: 'backlog', sizeBytes, setAsideBatches: journal.setAsideBatches() });
  }

  /** Batches that have come meanwhile are committed together: one fsync for all of them. */
  const commits = createGroupCommit<NewBatch, undefined>(
    async (batches) => {
      journal.append(batches);
      shipper.wake();
      noteBacklog();
      return batches.map(() => undefined);
    },
    { gather: setImmediate },
  );

  function answer(call: JournalCall | { readonly kind: 'close' }): unknown {
    switch (call.kind) {
      case 'open':
        return journal.lastSeq;
      case 'append':
        return commits.add(call.batch);
      case 'wake':
        return shipper.wake();
      case 'ship':
        return shipper.shipped();
      case 'drain':
        return shipper.drain();
      case 'leave_archive_file':
        return archive?.leaveFile();
      case 'close':
        return close();
    }
  }

  /** A shipment that a silent warehouse keeps under way is broken off, and sent again after the next start. */
  async function close(): Promise<void> {
    const patience = setTimeout(() => void warehouse.close(), SHIPMENT_END_MAX_MS);
    await shipper.stop();
    clearTimeout(patience);
    await warehouse.close();
    await archive?.close();
    others.close();
    journal.close();
  }

  noteBacklog();
  shipper.wake(); // What the last run left behind.
}
