import type { DatabaseSync } from 'node:sqlite';
import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import { createFindPersons } from './find-persons.ts';
import { createPersonResolver } from './resolve-persons.ts';

/** Rows per insert. */
const SHIPMENT_PERSONS = 20_000;
/** Maximum time for resolving persons while no payments arrive, so that other sources can ship. */
const RESOLVING_MAX_MS = 100;

/**
 * Ships changed rows of `persons`, after resolving pending facts.
 *
 * Why no token: the newest version of a row wins in the warehouse, so shipping twice is safe.
 */
export function personShipments(db: DatabaseSync): ShipmentSource {
  const resolver = createPersonResolver(db);
  const findPersons = createFindPersons(db);
  const shipped = db.prepare("SELECT value FROM counters WHERE name = 'shipped_persons'");
  const newestPayment = db.prepare("SELECT value FROM counters WHERE name = 'payments'");
  let seen = 0;
  const confirm = db.prepare("UPDATE counters SET value = ? WHERE name = 'shipped_persons'");

  /**
   * Resolves pending facts. Returns whether there are more.
   *
   * Why only one batch while payments arrive: each transaction here delays theirs, and a flood of payments needs
   * the CPU. Resolving persons can wait.
   */
  function resolve(hasNewPayments: boolean): boolean {
    const until = performance.now() + (hasNewPayments ? 0 : RESOLVING_MAX_MS);
    while (resolver.resolveSome()) if (performance.now() > until) return true;
    return false;
  }

  return {
    nextShipment(): Shipment | undefined {
      const newest = Number(newestPayment.get()?.value);
      const hasNewPayments = newest !== seen;
      seen = newest;
      const hasMoreFacts = resolve(hasNewPayments);
      const after = Number(shipped.get()?.value);
      const rows = findPersons({ after, upTo: Number.MAX_SAFE_INTEGER }, SHIPMENT_PERSONS);
      const last = rows.at(-1)?.version;
      if (last === undefined && !hasMoreFacts) return undefined;
      return {
        table: 'persons',
        lines: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
        rows: rows.length,
        hasMore: rows.length === SHIPMENT_PERSONS || (hasMoreFacts && !hasNewPayments),
        hasMoreLater: hasMoreFacts,
        confirm() {
          if (last !== undefined) confirm.run(last);
        },
      };
    },
  };
}
