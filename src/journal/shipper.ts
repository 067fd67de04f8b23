import { keepRunning } from '#jobs/keep-running.ts';
import { around, type CrashPoint, crashPoint } from '#storage/crash-points.ts';
import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import { OUTBOX, parseToken } from '#storage/shipment-token.ts';

interface Shipper {
  /** Schedules shipping with the next interval. */
  wake(): void;
  /** Resolves when everything present at the call is shipped. Such runs are limited to a few a second. */
  shipped(): Promise<void>;
  /** Ships the whole backlog. Rejects if the warehouse does not accept it. */
  drain(): Promise<void>;
  /** Stops after the shipment in flight. The rest ships after the next start. */
  stop(): Promise<void>;
}

type ShipperOptions = {
  readonly sources: readonly ShipmentSource[];
  insertLines(table: string, lines: Buffer, token?: string): Promise<void>;
  /** Inserts the lines that the warehouse lacks of a shipment that may be there already. */
  complete?(shipment: Shipment): Promise<unknown>;
  /** Whether the error is permanent: the warehouse will never accept these lines. */
  isRefusal?(error: unknown): boolean;
  /** Archives a shipped shipment before its source deletes it. If it throws, the shipment is repeated. */
  archive?(shipment: Shipment): Promise<void>;
  /** Called when a shipment is confirmed or refused. */
  onEnd?(): void;
  /** Called when everything that was accepted until `agoMs` ago is shipped. */
  onShipped?(agoMs: number): void;
  /** Called when shipments begin to fail, or fail for another reason. The shipper keeps retrying. */
  onFailure(error: unknown): void;
  readonly intervalMs?: number;
  readonly retryMaxMs?: number;
};

/** How long accepted rows are batched before they are inserted. */
const SHIPPING_INTERVAL_MS = 1_000;
/** Minimum interval of expedited shipments, because each insert creates a part in the engine's tables. */
const EXPEDITED_INTERVAL_MS = 300;

/**
 * Moves rows from the durable stores to the warehouse about once a second, in large inserts.
 *
 * - A shipment is confirmed, and thereby deleted at its source, only after warehouse and archive have it.
 * - A failed shipment is retried unchanged, with the same deduplication token. After a restart, the
 *   warehouse is asked first, because it forgets tokens in a power cut. A shipment that it cannot read
 *   goes back to its source.
 * - Sources take turns, so that payments do not wait behind a long backlog of events.
 */
export function createShipper(options: ShipperOptions): Shipper {
  const intervalMs = options.intervalMs ?? SHIPPING_INTERVAL_MS;
  const retryMaxMs = options.retryMaxMs ?? 5_000;
  let sentAt = Number.NEGATIVE_INFINITY;
  /** Callers of `shipped` that no run has served yet. */
  let waiting: PromiseWithResolvers<void>[] = [];

  /** Ships one shipment of each source in turn. Rows that arrive meanwhile wait for the next interval. */
  async function shipAll(stopped: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    const unfinished = new Set(options.sources);
    const shipNext = async (source: ShipmentSource) => {
      try {
        if (await shipNextOf(source)) return;
      } catch (error) {
        failures.push(error); // A failing source must not block the others.
      }
      unfinished.delete(source);
    };
    while (unfinished.size > 0 && !stopped.aborted) {
      for (const source of unfinished) if (!stopped.aborted) await shipNext(source);
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Ships the next shipment of a source. Returns whether the source has more to ship right away. */
  async function shipNextOf(source: ShipmentSource): Promise<boolean> {
    crashPoint('before', 'shipment note');
    const shipment = await source.nextShipment();
    if (shipment === undefined) return false;
    if (shipment.token !== undefined) crashPoint('after', 'shipment note'); // Payments write no note.
    const isShipped = await shipOrRefuse(shipment);
    options.onEnd?.();
    if (shipment.hasMoreLater === 'soon') job.wake(Math.min(intervalMs, EXPEDITED_INTERVAL_MS));
    else if (shipment.hasMoreLater === true) job.wake(intervalMs);
    return shipment.hasMore || !isShipped;
  }

  /** Returns false if the warehouse cannot read the shipment. Its source then decides what to do. */
  async function shipOrRefuse(shipment: Shipment): Promise<boolean> {
    try {
      await shipWhole(shipment);
      return true;
    } catch (error) {
      if (shipment.refuse === undefined || options.isRefusal?.(error) !== true) throw error;
      await shipment.refuse(error);
      return false;
    }
  }

  async function shipWhole(shipment: Shipment): Promise<void> {
    const { table, lines, token, rows, isInDoubt } = shipment;
    if (rows > 0) {
      sentAt = performance.now();
      if (isInDoubt && options.complete !== undefined) await options.complete(shipment);
      else await options.insertLines(table, lines, token);
      await options.archive?.(shipment);
    }
    await around(stepOfEnd(shipment), () => shipment.confirm());
  }

  async function serve(stopped: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    const served = waiting;
    waiting = [];
    try {
      await shipAll(stopped);
    } catch (error) {
      waiting.unshift(...served);
      throw error;
    }
    if (stopped.aborted) return;
    options.onShipped?.(performance.now() - startedAt);
    for (const { resolve } of served) resolve();
  }

  const job = keepRunning({
    ...{ name: 'shipping', retryMs: [2 * intervalMs, retryMaxMs], keepsAlive: true },
    run: serve,
    onChange: (failure) => failure && options.onFailure(failure),
  });
  return {
    wake: () => job.wake(intervalMs),
    shipped() {
      const served = Promise.withResolvers<void>();
      waiting.push(served);
      job.wake(Math.max(0, sentAt + EXPEDITED_INTERVAL_MS - performance.now()));
      return served.promise;
    },
    drain: job.runNow,
    stop: job.stop,
  };
}

function stepOfEnd({ token }: Shipment): CrashPoint {
  if (token === undefined) return 'payments note';
  return parseToken(token)?.journal === OUTBOX ? 'outbox delete' : 'journal delete';
}
