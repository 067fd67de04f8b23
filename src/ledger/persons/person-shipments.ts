import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import type { Database } from '#storage/sql/sql.ts';
import { LAST_VERSION } from '../payments/find-payments.ts';
import { readCounter } from '../schema/counters.ts';
import { findPersons } from './find-persons.ts';
import { isBehind } from './resolve-persons.ts';

/** Rows per insert. */
const SHIPMENT_PERSONS = 20_000;
/**
 * Ships changed rows of `persons`. Facts that are not resolved yet ship later.
 *
 * Why no token: the newest version of a row wins in the warehouse, so shipping twice is safe.
 */
export function personShipments(
  db: Database,
  saveShipped: (what: 'shipped_persons', version: number) => Promise<void>,
): ShipmentSource {
  return {
    async nextShipment(): Promise<Shipment | undefined> {
      const hasMoreLater = await isBehind(db);
      const after = await readCounter(db, 'shipped_persons');
      const rows = await findPersons(db, { after, upTo: LAST_VERSION }, SHIPMENT_PERSONS);
      const last = rows.at(-1)?.version;
      if (last === undefined && !hasMoreLater) return undefined;
      return {
        table: 'persons',
        lines: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
        rows: rows.length,
        hasMore: rows.length === SHIPMENT_PERSONS,
        hasMoreLater,
        async confirm() {
          if (last !== undefined) await saveShipped('shipped_persons', last);
        },
      };
    },
  };
}
