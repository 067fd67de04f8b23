import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import type { Database } from '#storage/sql/sql.ts';
import { LAST_VERSION } from '../payments/find-payments.ts';
import type { KnownRates } from '../payments/site-money.ts';
import { readCounter } from '../schema/counters.ts';
import { createToCostRow, findCosts } from './find-costs.ts';

/** Costs per insert. */
const SHIPMENT_COSTS = 20_000;

/**
 * Ships changed costs, by version.
 *
 * Why no token: the newest version of a row wins in the warehouse, so shipping twice is safe.
 */
export function costShipments(
  db: Database,
  saveShipped: (what: 'shipped_costs', version: number) => Promise<void>,
  rates: KnownRates,
): ShipmentSource {
  return {
    async nextShipment(): Promise<Shipment | undefined> {
      const after = await readCounter(db, 'shipped_costs');
      const costs = await findCosts(db, { after, upTo: LAST_VERSION }, SHIPMENT_COSTS);
      const last = costs.at(-1)?.version;
      if (last === undefined) return undefined;
      const rows = costs.map(await createToCostRow(db, rates));
      return {
        table: 'costs',
        lines: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
        rows: rows.length,
        hasMore: costs.length === SHIPMENT_COSTS,
        confirm: () => saveShipped('shipped_costs', last),
      };
    },
  };
}
