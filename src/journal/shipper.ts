import { around, crashPoint, type Step } from '#storage/crash-points.ts';
import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import { OUTBOX, parseToken } from '#storage/shipment-token.ts';

/** Moves shipments from their sources to the warehouse. */
export interface Shipper {
  /** Schedules shipping with the next interval. */
  wake(): void;
  /** Resolves when everything present at the call is shipped. Such runs are limited to a few a second. */
  shipped(): Promise<void>;
  /** Ships the whole backlog. Rejects if the warehouse does not accept it. */
  drain(): Promise<void>;
  /** Stops after the shipment in flight. The rest ships after the next start. */
  stop(): Promise<void>;
}

/** Sources, target and callbacks of the shipper. */
export type ShipperOptions = {
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
  /** Called for every failed attempt. The shipper keeps retrying. */
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
  let timer: NodeJS.Timeout | undefined;
  let shipping: Promise<void> = Promise.resolve();
  let retryMs = intervalMs;
  let stopped = false;
  let dueAt = 0;
  let sentAt = Number.NEGATIVE_INFINITY;
  /** Callers of `shipped` that no run has served yet. */
  let waiting: PromiseWithResolvers<void>[] = [];

  /** Ships one shipment of each source in turn. Rows that arrive meanwhile wait for the next interval. */
  async function shipAll(): Promise<void> {
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
    while (unfinished.size > 0 && !stopped) {
      for (const source of unfinished) if (!stopped) await shipNext(source);
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
    if (shipment.hasMoreLater === true) schedule(intervalMs);
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

  async function serve(): Promise<void> {
    const startedAt = performance.now();
    const served = waiting;
    waiting = [];
    try {
      await shipAll();
    } catch (error) {
      waiting.unshift(...served);
      throw error;
    }
    retryMs = intervalMs;
    if (!stopped) options.onShipped?.(performance.now() - startedAt);
    if (!stopped) for (const { resolve } of served) resolve();
  }

  /** Runs never overlap: a second run begins when the first has ended. */
  function ship(): Promise<void> {
    const run = shipping.then(serve);
    shipping = run.catch(() => {});
    return run;
  }

  async function shipOrRetry(): Promise<void> {
    try {
      await ship();
    } catch (error) {
      options.onFailure(error);
      retryMs = Math.min(retryMs * 2, retryMaxMs);
      schedule(retryMs);
    }
  }

  function schedule(delayMs: number): void {
    if (stopped || timer !== undefined) return;
    dueAt = performance.now() + delayMs;
    timer = setTimeout(() => {
      timer = undefined;
      void shipOrRetry();
    }, delayMs);
  }

  function expedite(): void {
    const isFailing = retryMs > intervalMs;
    const now = performance.now();
    const delayMs = isFailing ? retryMs : Math.max(0, sentAt + EXPEDITED_INTERVAL_MS - now);
    // A run in progress does not serve this caller, so another run must follow.
    if (timer !== undefined && (isFailing || dueAt <= now + delayMs)) return;
    clearTimeout(timer);
    timer = undefined;
    schedule(delayMs);
  }

  return {
    wake: () => schedule(intervalMs),
    shipped() {
      const served = Promise.withResolvers<void>();
      waiting.push(served);
      expedite();
      return served.promise;
    },
    drain: ship,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await shipping;
    },
  };
}

function stepOfEnd({ token }: Shipment): Step {
  if (token === undefined) return 'payments note';
  return parseToken(token)?.journal === OUTBOX ? 'outbox delete' : 'journal delete';
}
