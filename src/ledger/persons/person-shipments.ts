import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import type { Database } from '#storage/sql/sql.ts';
import { LAST_VERSION } from '../payments/find-payments.ts';
import { readCounter, saveCounter } from '../schema/counters.ts';
import { findPersons } from './find-persons.ts';
import { resolveSome } from './resolve-persons.ts';

/** Rows per insert. */
const SHIPMENT_PERSONS = 20_000;
/** Maximum time for resolving persons while no payments arrive, so that other sources can ship. */
const RESOLVING_MAX_MS = 100;

/**
 * Ships changed rows of `persons`, after resolving pending facts.
 *
 * Why no token: the newest version of a row wins in the warehouse, so shipping twice is safe.
 */
export function personShipments(db: Database): ShipmentSource {
  let seen = 0;

  /**
   * Resolves pending facts. Returns whether there are more.
   *
   * Why only one batch while payments arrive: each transaction here delays theirs, and a flood of payments needs
   * the CPU. Resolving persons can wait.
   */
  async function resolve(hasNewPayments: boolean): Promise<boolean> {
    const until = performance.now() + (hasNewPayments ? 0 : RESOLVING_MAX_MS);
    while (await resolveSome(db)) if (performance.now() > until) return true;
    return false;
  }

  return {
    async nextShipment(): Promise<Shipment | undefined> {
      const newest = await readCounter(db, 'payments');
      const hasNewPayments = newest !== seen;
      seen = newest;
      const hasMoreFacts = await resolve(hasNewPayments);
      const after = await readCounter(db, 'shipped_persons');
      const rows = await findPersons(db, { after, upTo: LAST_VERSION }, SHIPMENT_PERSONS);
      const last = rows.at(-1)?.version;
      if (last === undefined && !hasMoreFacts) return undefined;
      return {
        table: 'persons',
        lines: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
        rows: rows.length,
        hasMore: rows.length === SHIPMENT_PERSONS || (hasMoreFacts && !hasNewPayments),
        hasMoreLater: hasMoreFacts,
        async confirm() {
          if (last !== undefined) await saveCounter(db, 'shipped_persons', last);
        },
      };
    },
  };
}
