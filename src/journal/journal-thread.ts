import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { around, crashPoint, type Step } from '#storage/crash-points.ts';
import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import { isOutboxToken } from '#storage/shipment-token.ts';
import { createWarehouse, type WarehouseAddress } from '#warehouse/client.ts';
import { completeEvents } from '#warehouse/events/complete-events.ts';
import { RefusedLinesError } from '#warehouse/refused-lines.ts';
import { keepTables } from '#warehouse/tables/keep-tables.ts';
import { type ArchiveOptions, openArchive } from './archive/open-archive.ts';
import { openJournalFiles } from './journal-files.ts';
import type { FromThread, ToThread } from './journal-messages.ts';
import { createShipper } from './shipper.ts';
import { shipAlone, shipTogether } from './shipping-lock.ts';

/** Where the thread finds everything. */
export type JournalThreadOptions = {
  /** The journal's folder. */
  readonly folder: string;
  /** Whether there was a journal before, so that it must be there. */
  readonly isKnown: boolean;
  readonly warehouse: WarehouseAddress;
  readonly ledgerPath: string;
  readonly ratesPath: string;
  /** Where shipped events are kept; they are not when left out. */
  readonly archive: Pick<ArchiveOptions, 'folder' | 'keepDays'> | undefined;
};

/** What else is shipped from the thread. */
export type OtherSources = { readonly sources: readonly ShipmentSource[]; close(): void };

type Append = Extract<ToThread, { kind: 'append' }>;

/** How long a stop waits for the shipment under way. */
const SHIPMENT_END_MAX_MS = 1_000;

/**
 * Runs this thread as the one that owns the journal: it commits what the web process hands it, and ships
 * that and what `openOthers` opens.
 *
 * Why both here: shipping copies bytes from the file to a socket, and one thread with one
 * connection needs no locks and leaves the web process's own thread to its requests.
 */
export function runJournalThread(
  openOthers: (options: JournalThreadOptions, onTrouble: (trouble: string) => void) => OtherSources,
): void {
  if (parentPort === null) throw new Error('the journal runs in a worker thread');
  const port = parentPort;
  const options = workerData as JournalThreadOptions;
  const send = (message: FromThread) => port.postMessage(message);
  const onTrouble = (message: string) => send({ kind: 'trouble', message });
  const { folder, isKnown } = options;
  const journal = openJournalFiles(folder, { isKnown, onTrouble });
  const others = openOthers(options, onTrouble);
  const shipping = openShipping(options, [journal, ...others.sources], { send, sendBacklog });
  const { shipper } = shipping;

  function sendBacklog(): void {
    const sizeBytes = journal.backlogBytes();
    send({ kind: 'backlog', sizeBytes, setAside: journal.setAsideBatches() });
  }

  /** Commits with this batch all that wait behind it: one fsync for all of them. */
  function appendWaiting(first: Append): void {
    const batches = [first];
    let next = takeNext();
    for (; next?.kind === 'append'; next = takeNext()) batches.push(next);
    const failure = failureOf(() => journal.append(batches));
    if (failure === undefined) shipper.wake();
    sendBacklog();
    for (const { id } of batches) send({ kind: 'answer', id, failure });
    if (next !== undefined) void take(next);
  }

  const takeNext = (): ToThread | undefined => receiveMessageOnPort(port)?.message;

  async function take(message: ToThread): Promise<void> {
    switch (message.kind) {
      case 'append':
        return appendWaiting(message);
      case 'wake':
        return shipper.wake();
      case 'hurry':
        return shipper.hurry();
      case 'drain':
        return send({
          ...{ kind: 'answer', id: message.id },
          failure: await shipper.drain().then(() => undefined, String),
        });
      case 'close':
        await shipping.close();
        others.close();
        journal.close();
        send({ kind: 'answer', id: message.id, failure: undefined });
        port.close();
    }
  }

  port.on('message', take);
  sendBacklog();
  send({ kind: 'open', lastSeq: journal.lastSeq });
  shipper.wake(); // What the last run left behind.
}

function failureOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return String(error);
  }
}

type Reports = { send(message: FromThread): void; sendBacklog(): void };

function openShipping(
  options: JournalThreadOptions,
  sources: readonly ShipmentSource[],
  { send, sendBacklog }: Reports,
) {
  const onTrouble = (message: string) => send({ kind: 'trouble', message });
  const warehouse = createWarehouse(options.warehouse);
  const archive = options.archive && openArchive({ ...options.archive, onTrouble });
  const tables = keepTables({
    ...{ warehouse, address: options.warehouse, ratesPath: options.ratesPath },
    ...{ alone: shipAlone, tell: onTrouble },
  });
  const shipper = createShipper({
    sources: sources.map((source) => withBacklog(source, sendBacklog)),
    async insertLines(table, lines, token) {
      const step = token === undefined ? 'payments insert' : 'warehouse insert';
      const insert = () => shipTogether(() => warehouse.insertLines(table, lines, token));
      // Events that arrive before the views are there would never be in them.
      await tables.use(() => around(step, insert));
    },
    complete: ({ lines }) =>
      tables.use(() =>
        around('completion', () => shipAlone(() => completeEvents(warehouse, lines))),
      ),
    isRefusal: (error) => error instanceof RefusedLinesError,
    async archive({ token, rows, lines }) {
      // Payments have no token and need no archive: the ledger keeps them.
      if (token === undefined || archive === undefined) return;
      await around('archive', () => archive.keep({ token, rows, lines }));
    },
    onFailure: (error) => send({ kind: 'ship_failed', message: String(error) }),
  });
  return {
    shipper,
    /** What a silent warehouse keeps under way is broken off, and sent again after the next start. */
    async close() {
      const patience = setTimeout(() => void warehouse.close(), SHIPMENT_END_MAX_MS);
      await shipper.stop();
      clearTimeout(patience);
      await warehouse.close();
      await archive?.close();
    },
  };
}

/** The source, which reports the backlog after each shipment that left it. */
function withBacklog(source: ShipmentSource, sendBacklog: () => void): ShipmentSource {
  return {
    nextShipment() {
      crashPoint('before', 'shipment note');
      const shipment = source.nextShipment();
      if (shipment === undefined) return undefined;
      if (shipment.token !== undefined) crashPoint('after', 'shipment note'); // Payments leave none.
      const { confirm, refuse } = shipment;
      return {
        ...shipment,
        confirm() {
          around(stepOfEnd(shipment), confirm);
          sendBacklog();
        },
        ...(refuse && {
          refuse(error) {
            refuse(error);
            sendBacklog();
          },
        }),
      };
    },
  };
}

function stepOfEnd({ token }: Shipment): Step {
  if (token === undefined) return 'payments note';
  return isOutboxToken(token) ? 'outbox delete' : 'journal delete';
}
