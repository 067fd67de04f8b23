import type { DatabaseSync } from 'node:sqlite';
import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import { createFindPersons } from './find-persons.ts';
import { createPersonResolver } from './resolve-persons.ts';

/** One insert's worth. */
const SHIPMENT_PERSONS = 20_000;
/** How long persons are resolved at a time while no payment comes, until others may ship theirs. */
const RESOLVING_MAX_MS = 100;

/**
 * Whose visitors and transactions are, as it changed since it was shipped. Facts that are new are
 * taken in first.
 *
 * Why no token: the newest version of a row wins in the warehouse, so that shipping twice is safe.
 */
export function personShipments(db: DatabaseSync): ShipmentSource {
  const resolver = createPersonResolver(db);
  const findPersons = createFindPersons(db);
  const shipped = db.prepare("SELECT value FROM counters WHERE name = 'shipped_persons'");
  const newestPayment = db.prepare("SELECT value FROM counters WHERE name = 'payments'");
  let seen = 0;
  const confirm = db.prepare("UPDATE counters SET value = ? WHERE name = 'shipped_persons'");

  /**
   * Answers whether there are more facts to take in.
   *
   * Why only some while payments come: each transaction here makes theirs wait, and a flood of them
   * needs the processor itself. Who paid for whom may be known a little later.
   */
  function resolve(paymentsCome: boolean): boolean {
    const until = performance.now() + (paymentsCome ? 0 : RESOLVING_MAX_MS);
    while (resolver.resolveSome()) if (performance.now() > until) return true;
    return false;
  }

  return {
    nextShipment(): Shipment | undefined {
      const newest = Number(newestPayment.get()?.value);
      const paymentsCome = newest !== seen;
      seen = newest;
      const hasMoreFacts = resolve(paymentsCome);
      const after = Number(shipped.get()?.value);
      const rows = findPersons({ after, upTo: Number.MAX_SAFE_INTEGER }, SHIPMENT_PERSONS);
      const last = rows.at(-1)?.version;
      if (last === undefined && !hasMoreFacts) return undefined;
      return {
        table: 'persons',
        lines: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
        rows: rows.length,
        hasMore: rows.length === SHIPMENT_PERSONS || (hasMoreFacts && !paymentsCome),
        hasMoreLater: hasMoreFacts,
        confirm() {
          if (last !== undefined) confirm.run(last);
        },
      };
    },
  };
}
