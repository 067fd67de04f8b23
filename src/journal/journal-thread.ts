import { type MessagePort, workerData } from 'node:worker_threads';
import { type JobFigures, listJobs } from '#jobs/job-figures.ts';
import { workInTime } from '#jobs/wait.ts';
import { around } from '#storage/crash-points.ts';
import { createGroupCommit } from '#storage/group-commit.ts';
import { readEarliestNow } from '#storage/keep-clock.ts';
import type { ShipmentSource } from '#storage/shipment.ts';
import { callThrough } from '#storage/worker-calls.ts';
import { createWarehouse, type WarehouseAddress } from '#warehouse/client/client.ts';
import { RefusedLinesError } from '#warehouse/client/refused-lines.ts';
import { completeEvents } from '#warehouse/events/complete-events.ts';
import { keepTables } from '#warehouse/keep-tables.ts';
import { type ArchiveOptions, openArchive } from './archive/open-archive.ts';
import type { NewBatch } from './journal-file.ts';
import { openJournalFiles } from './journal-files.ts';
import { createShipper } from './shipper.ts';
import { shipAlone, shipTogether } from './shipping-lock.ts';

/** What the web process calls. Batches that arrive together share one fsync. */
export type JournalCalls = {
  append(batch: NewBatch): Promise<undefined>;
  /** The highest batch number ever used. */
  findLastSeq(): number;
  wake(): void;
  ship(): Promise<void>;
  drain(): Promise<void>;
  leaveArchiveFile(): void;
  listJobs(): readonly JobFigures[];
  close(): Promise<void>;
};

/** What the thread tells the web process. */
export type JournalNews = {
  noteBacklog(backlog: { readonly sizeBytes: number; readonly setAsideBatches: number }): void;
  /** Everything accepted until `agoMs` ago is in the warehouse. */
  noteShipped(agoMs: number): void;
  onTrouble(message: string): void;
  onShipFailure(message: string): void;
};

/** Paths and addresses for the thread. */
export type JournalThreadOptions = {
  /** The journal's folder. */
  readonly folder: string;
  /** Whether a journal existed before. If so, a missing one is reported. */
  readonly isKnown: boolean;
  readonly warehouse: WarehouseAddress;
  /** The ledger's location, and a port to its owner. */
  readonly ledger: string;
  readonly ledgerPort?: MessagePort;
  readonly ratesPath: string;
  /** The saved state of the clock check. */
  readonly clockPath: string;
  /** The archive of shipped events; undefined for none. */
  readonly archive: Pick<ArchiveOptions, 'folder' | 'keepDays'> | undefined;
};

type OtherSources = { readonly sources: readonly ShipmentSource[]; close(): Promise<void> };

/** How long a stop waits for the shipment in flight. */
const SHIPMENT_END_MAX_MS = 1_000;

/**
 * Runs this thread as the owner of the journal. It commits batches from the web process, and ships them
 * and the sources from `openOthers`. A single thread with one connection needs no locks.
 */
export async function runJournalThread(
  openOthers: (
    options: JournalThreadOptions,
    onTrouble: (trouble: string) => void,
  ) => Promise<OtherSources>,
): Promise<void> {
  const options = workerData as JournalThreadOptions;
  const onTrouble = (message: string) => web.onTrouble(message);
  const others = await openOthers(options, onTrouble); // Calls wait until they are answered below.
  const { tell: web } = callThrough<JournalNews>({
    append: (batch) => commits.add(batch),
    findLastSeq: () => journal.lastSeq,
    wake: () => shipper.wake(),
    ship: () => shipper.shipped(),
    drain: () => shipper.drain(),
    leaveArchiveFile: () => archive?.leaveFile(),
    listJobs,
    close,
  } satisfies JournalCalls);
  const { folder, isKnown } = options;
  const journal = openJournalFiles(folder, { isKnown, onTrouble });
  const trustedNow = (agoMs: number) => readEarliestNow(options.clockPath, agoMs);
  const archive = options.archive && openArchive({ ...options.archive, trustedNow, onTrouble });
  const warehouse = createWarehouse(options.warehouse);
  const tables = keepTables({
    ...{ warehouse, alone: shipAlone, report: onTrouble },
  });
  const shipper = createShipper({
    sources: [journal, ...others.sources],
    onEnd: noteBacklog,
    onShipped: (agoMs) => web.noteShipped(agoMs),
    async insertLines(table, lines, token) {
      const step = token === undefined ? 'payments insert' : 'warehouse insert';
      const insert = () => shipTogether(() => warehouse.insertLines(table, lines, token));
      // Events inserted before the views exist would never be in them.
      await tables.use(() => around(step, insert));
    },
    complete({ lines }) {
      const complete = () => shipAlone(() => completeEvents(warehouse, lines));
      return tables.use(() => around('completion', complete));
    },
    isRefusal: (error) => error instanceof RefusedLinesError,
    async archive({ token, rows, lines }) {
      // Payments have no token and are not archived, because the ledger keeps them.
      if (token === undefined || archive === undefined) return;
      await around('archive', () => archive.keep({ token, rows, lines }));
    },
    onFailure: (error) => web.onShipFailure(String(error)),
  });

  function noteBacklog(): void {
    const sizeBytes = journal.backlogBytes();
    web.noteBacklog({ sizeBytes, setAsideBatches: journal.setAsideBatches() });
  }

  const commits = createGroupCommit<NewBatch, undefined>(
    async (batches) => {
      journal.append(batches);
      shipper.wake();
      noteBacklog();
      return batches.map(() => undefined);
    },
    { gather: setImmediate },
  );

  /** Aborts a shipment to an unresponsive warehouse. It is sent again after the next start. */
  async function close(): Promise<void> {
    await workInTime(SHIPMENT_END_MAX_MS, shipper.stop, () => void warehouse.close());
    await warehouse.close();
    await archive?.close();
    await others.close();
    journal.close();
  }

  noteBacklog();
  shipper.wake(); // Ship what the last run left.
}
