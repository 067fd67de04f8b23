import { around, crashPoint, type Step } from '#storage/crash-points.ts';
import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import { OUTBOX, parseToken } from '#storage/shipment-token.ts';

/** The one that moves shipments from their sources to the warehouse. */
export interface Shipper {
  /** Something is there to be shipped: it goes with the next shipping interval. */
  wake(): void;
  /** Resolves when all that was there at the call is shipped, which is done a few times a second at most. */
  shipped(): Promise<void>;
  /** Ships all that is there. Rejects when the warehouse does not take it. */
  drain(): Promise<void>;
  /** Ends after the shipment under way; what is left ships after the next start. */
  stop(): Promise<void>;
}

/** Where shipments come from and go to. */
export type ShipperOptions = {
  readonly sources: readonly ShipmentSource[];
  insertLines(table: string, lines: Buffer, token?: string): Promise<void>;
  /** Lets the warehouse have every line of a shipment that may be there once. */
  complete?(shipment: Shipment): Promise<unknown>;
  /** Whether the error says that the warehouse will never take these lines. */
  isRefusal?(error: unknown): boolean;
  /** Keeps what the warehouse has, before its source deletes it. When it throws, all is repeated. */
  archive?(shipment: Shipment): Promise<void>;
  /** Called when a shipment has left its source, or is refused. */
  onEnd?(): void;
  /** Called when all is shipped that was there so many milliseconds ago. */
  onShipped?(agoMs: number): void;
  /** Called for every failed try; the shipper goes on. */
  onFailure(error: unknown): void;
  readonly intervalMs?: number;
  readonly retryMaxMs?: number;
};

/** How long accepted rows wait for company before they are inserted. */
const SHIPPING_INTERVAL_MS = 1_000;
/** Hurried shipments begin so long after each other at least: each costs the engine a part of its tables. */
const HURRIED_INTERVAL_MS = 300;

/**
 * Moves rows from the durable stores to the warehouse about once a second, in large inserts.
 *
 * - A shipment is confirmed, and so deleted at its source, only after warehouse and archive have it.
 * - A failed shipment is sent again, the very same, with the same token; after a restart the warehouse
 *   is asked first, as a power cut makes it forget tokens. One that it cannot read goes back to its source.
 * - Sources take turns, so that payments do not wait for the end of a long backlog of events.
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
  /** Callers of `shipped` whom no run has served. */
  let waiting: PromiseWithResolvers<void>[] = [];

  /** One shipment of each source in turn. What arrives meanwhile waits for the next interval's company. */
  async function shipAll(): Promise<void> {
    const failures: unknown[] = [];
    const unfinished = new Set(options.sources);
    const shipNext = async (source: ShipmentSource) => {
      try {
        if (await shipNextOf(source)) return;
      } catch (error) {
        failures.push(error); // It keeps no other source waiting.
      }
      unfinished.delete(source);
    };
    while (unfinished.size > 0 && !stopped) {
      for (const source of unfinished) if (!stopped) await shipNext(source);
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Whether the source has more that goes at once. */
  async function shipNextOf(source: ShipmentSource): Promise<boolean> {
    crashPoint('before', 'shipment note');
    const shipment = source.nextShipment();
    if (shipment === undefined) return false;
    if (shipment.token !== undefined) crashPoint('after', 'shipment note'); // Payments leave none.
    const isShipped = await shipOrRefuse(shipment);
    options.onEnd?.();
    if (shipment.hasMoreLater === true) schedule(intervalMs);
    return shipment.hasMore || !isShipped;
  }

  /** False when the warehouse cannot read it: what to do then is for its source to say. */
  async function shipOrRefuse(shipment: Shipment): Promise<boolean> {
    try {
      await shipWhole(shipment);
      return true;
    } catch (error) {
      if (shipment.refuse === undefined || options.isRefusal?.(error) !== true) throw error;
      shipment.refuse(error);
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
    around(stepOfEnd(shipment), () => shipment.confirm());
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

  /** One run at a time: a second caller's run begins when the first has ended. */
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

  function hurry(): void {
    const isFailing = retryMs > intervalMs;
    const now = performance.now();
    const delayMs = isFailing ? retryMs : Math.max(0, sentAt + HURRIED_INTERVAL_MS - now);
    // A run that is under way does not serve this caller: another follows it.
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
      hurry();
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
