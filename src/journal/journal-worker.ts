import { dirname, join } from 'node:path';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openProjection } from '#ledger/open-projection.ts';
import { SHIPMENT_LIMITS } from '#storage/choose-oldest.ts';
import { around, crashPoint, type Step } from '#storage/crash-points.ts';
import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import { isOutboxToken, toJournalToken } from '#storage/shipment-token.ts';
import { createWarehouse, type WarehouseAddress } from '#warehouse/client.ts';
import { completeEvents } from '#warehouse/complete-events.ts';
import { keepTables } from '#warehouse/keep-tables.ts';
import { RefusedLinesError } from '#warehouse/refused-lines.ts';
import { type JournalFile, openJournalFile } from './journal-file.ts';
import type { FromWorker, ToWorker } from './journal-messages.ts';
import { suspectJournal } from './mend-journal.ts';
import { type ArchiveOptions, openArchive } from './open-archive.ts';
import { refuseOnceGone } from './refuse-once-gone.ts';
import { settleTotal } from './settle-total.ts';
import { createShipper } from './shipper.ts';
import { openShippingLock } from './shipping-lock.ts';
import { watchDamage } from './watch-damage.ts';

/**
 * The thread that owns one journal file: it commits what the web process hands it and ships it.
 *
 * Why both here: shipping copies bytes from the file to a socket, and one thread with one
 * connection needs no locks and leaves the web process's own thread to its requests.
 */
export type JournalWorkerOptions = {
  readonly path: string;
  readonly number: number;
  /** Whether it was opened before, so that it must be there. */
  readonly isKnown: boolean;
  readonly warehouse: WarehouseAddress;
  readonly ledgerPath: string;
  readonly ratesPath: string;
  /** Whether this thread ships the ledger's payments and outbox too; one thread of all does. */
  readonly shipsLedger: boolean;
  /** Where shipped events are kept; they are not when left out. */
  readonly archive: Pick<ArchiveOptions, 'folder' | 'keepDays'> | undefined;
  /** Journals of web processes that do not run any more; what they left is shipped from here. */
  readonly abandoned: readonly { readonly path: string; readonly number: number }[];
};

type Append = Extract<ToWorker, { kind: 'append' }>;

/** How long a stop waits for the shipment under way. */
const SHIPMENT_END_MAX_MS = 1_000;
/** How often is looked whether a lost file's batches are all shipped. */
const LOOK_AGAIN_MS = 1_000;

const port = parentPort;
if (port === null) throw new Error('journal-worker.ts runs as a worker thread');
const options = workerData as JournalWorkerOptions;

const journal = refuseOnceGone(
  options.path,
  openWatched(options.path, options.isKnown),
  endWhenShipped,
);
const warehouse = createWarehouse(options.warehouse);
const archive = options.archive && openArchive({ ...options.archive, tell: tellTrouble });
const projection = options.shipsLedger ? openProjection(options.ledgerPath) : undefined;
const abandoned = options.abandoned.map(({ path, number }) => ({
  file: openWatched(path),
  number,
}));
const lock = openShippingLock(join(dirname(options.path), 'shipping.lock'));
const tables = keepTables({
  ...{ warehouse, address: options.warehouse, ratesPath: options.ratesPath },
  ...{ alone: lock.alone, tell: tellTrouble },
});
const journals = [{ file: journal, number: options.number }, ...abandoned];
const shipper = createShipper({
  sources: [
    ...journals.map(({ file, number }) => journalShipments(file, number)),
    ...(projection?.sources ?? []),
  ].map(tellingOfBacklog),
  async insertLines(table, lines, token) {
    const step = token === undefined ? 'payments insert' : 'warehouse insert';
    const insert = () => lock.together(() => warehouse.insertLines(table, lines, token));
    await prepared(() => around(step, insert));
  },
  complete: ({ lines }) =>
    prepared(() => around('completion', () => lock.alone(() => completeEvents(warehouse, lines)))),
  isRefusal: (error) => error instanceof RefusedLinesError,
  archive: keepEvents,
  onFailure: (error) => tell({ kind: 'ship_failed', message: String(error) }),
});

port.on('message', take);

async function take(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'append':
      return appendWaiting(message);
    case 'wake':
      return shipper.wake();
    case 'hurry':
      return shipper.hurry();
    case 'backlog':
      return tell({
        kind: 'backlog',
        backlog: { ...journal.backlog(), damaged: journal.setAsideBatches() },
      });
    case 'drain':
      return tell({
        kind: 'drained',
        failure: await shipper.drain().then(() => undefined, String),
      });
    case 'close':
      await endShipping();
      await archive?.close();
      projection?.close();
      lock.close();
      for (const { file } of journals) file.close();
      tell({ kind: 'closed' });
      port?.close();
  }
}

tellBacklogBytes();
tell({ kind: 'open', lastSeq: journal.lastSeq });
shipper.wake(); // What the last run left behind.

function tell(message: FromWorker): void {
  port?.postMessage(message);
}

function tellTrouble(message: string): void {
  tell({ kind: 'trouble', message });
}

/** Commits with this batch all that wait behind it: one fsync for all of them. */
function appendWaiting(first: Append): void {
  const batches = [first];
  let next = takeNext();
  for (; next?.kind === 'append'; next = takeNext()) batches.push(next);
  try {
    journal.append(batches);
    for (const _ of batches) tell({ kind: 'appended', backlogBytes: journal.backlogBytes() });
    shipper.wake();
  } catch (error) {
    for (const _ of batches) tell({ kind: 'append_failed', message: String(error) });
  }
  if (next !== undefined) void take(next);
}

function takeNext(): ToWorker | undefined {
  return port === null ? undefined : receiveMessageOnPort(port)?.message;
}

/** A file that turns out to be damaged is mended at the next start, which follows at once. */
function openWatched(path: string, isKnown = false): JournalFile {
  const file = openJournalFile(path, tellTrouble, isKnown);
  return watchDamage(file, (error) => {
    suspectJournal(path);
    setImmediate(() => {
      throw error; // Past whoever catches it to try again: this thread ends.
    });
  });
}

/** The next start makes a new file; what this one holds nobody else could ship any more. */
function endWhenShipped(error: Error): void {
  tellTrouble(error.message);
  setInterval(() => {
    if (journal.backlogBytes() === 0) throw error;
  }, LOOK_AGAIN_MS);
}

/** What a silent warehouse keeps under way is broken off, and sent again after the next start. */
async function endShipping(): Promise<void> {
  const patience = setTimeout(() => void warehouse.close(), SHIPMENT_END_MAX_MS);
  await shipper.stop();
  clearTimeout(patience);
  await warehouse.close();
}

/** Events that arrive before the views are there would never be in them. */
function prepared<T>(work: () => Promise<T>): Promise<T> {
  return tables.use(async () => {
    for (const each of journals) await settleTotal(each, warehouse, options.ledgerPath);
    return work();
  });
}

/** The source, whose every confirmed shipment makes the backlog known. */
function tellingOfBacklog(source: ShipmentSource): ShipmentSource {
  return {
    nextShipment() {
      crashPoint('before', 'shipment note');
      const shipment = source.nextShipment();
      if (shipment === undefined) return undefined;
      if (shipment.token !== undefined) crashPoint('after', 'shipment note'); // Payments leave none.
      const confirm = () => {
        around(stepOfEnd(shipment), () => shipment.confirm());
        tellBacklogBytes();
      };
      return { ...shipment, confirm };
    },
  };
}

function stepOfEnd({ token }: Shipment): Step {
  if (token === undefined) return 'payments note';
  return isOutboxToken(token) ? 'outbox delete' : 'journal delete';
}

function tellBacklogBytes(): void {
  const setAside = journals.reduce((sum, { file }) => sum + file.setAsideBatches(), 0);
  tell({ kind: 'backlog_bytes', backlogBytes: journal.backlogBytes(), setAside });
}

/** Payments have no token and need no archive: the ledger keeps them. */
async function keepEvents({ token, rows, lines, mayBeThere }: Shipment): Promise<void> {
  if (token === undefined || archive === undefined) return;
  const keep = mayBeThere ? archive.keepOnce : archive.keep;
  await around('archive', () => keep({ token, rows, lines }));
}

function journalShipments(file: JournalFile, number: number): ShipmentSource {
  return {
    nextShipment() {
      const shipment = file.nextShipment(SHIPMENT_LIMITS);
      if (shipment === undefined) return undefined;
      return {
        table: 'events',
        lines: shipment.lines,
        rows: shipment.rows,
        hasMore: shipment.hasMore,
        token: toJournalToken(number, shipment),
        mayBeThere: shipment.mayBeThere,
        isInDoubt: shipment.isInDoubt,
        confirm: () => file.confirmShipment(shipment),
        refuse(error) {
          tell({ kind: 'ship_failed', message: String(error) });
          file.refuseShipment(shipment);
          tellBacklogBytes();
        },
      };
    },
  };
}
