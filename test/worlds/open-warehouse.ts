import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addMoney, addMoneyToCost } from '#contract/rows/add-money.ts';
import type { CostRow } from '#contract/rows/cost-row.ts';
import { toLineOpening, toLineTail } from '#contract/rows/event-lines.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import type { PaymentRow } from '#contract/rows/payment-row.ts';
import type { ShownIn } from '#domain/money/rates/convert-money.ts';
import { type ExchangeRates, toRateSpans } from '#domain/money/rates/exchange-rates.ts';
import { toRates } from '#enrich/rates/read-rates.ts';
import { applySchema } from '#warehouse/apply-schema.ts';
import { createWarehouse, type Warehouse } from '#warehouse/client/client.ts';
import { createEngineServer } from '#warehouse/engine/engine-server.ts';
import { openEngine } from '#warehouse/engine/open-engine.ts';

/** A row of the warehouse's `payments`. Instants are milliseconds. */
export type WorldPayment = {
  readonly site_id: string;
  readonly kind: 'payment' | 'refund';
  readonly transaction_id: string;
  readonly occurred_at: number;
  /** When the payment was made; for a refund, earlier than `occurred_at`. */
  readonly paid_at: number;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly visitor_id?: string;
  readonly original_transaction_id?: string;
  readonly customer_id?: string;
  readonly email?: string;
  readonly product?: string;
  readonly subscription_id?: string;
  readonly provider?: string;
  readonly renewal?: 0 | 1;
};

/** A warehouse of its own for one test file: the real engine, in this process, in a new folder. */
export interface WorldWarehouse {
  readonly warehouse: Warehouse;
  addEvents(rows: readonly EventRow[]): Promise<void>;
  /** With money in euros, or as told. Refunds may come later than their payments, and rates later than both. */
  addPayments(rows: readonly WorldPayment[], shown?: ShownIn): Promise<void>;
  /** With money in euros, at the rates that are known. A later row of the same cost replaces the earlier one. */
  addCosts(rows: readonly Omit<CostRow, 'version'>[]): Promise<void>;
  /** Whose visitors and transactions of a site are; what is told later holds. */
  addPersons(
    rows: readonly (readonly [kind: string, key: string, personId: string, siteId?: string])[],
  ): Promise<void>;
  /** Merges the parts of `visits`, so that what comes later meets merged rows. */
  merge(): Promise<void>;
  /** A table as the European Central Bank has it: `Date,USD,JPY`, a line a day. */
  addRates(table: string): Promise<void>;
  close(): Promise<void>;
}

/** A payment with its refunds. */
type Paid = { readonly shown: ShownIn; readonly rows: Map<string, WorldPayment> };

const EUROS: ShownIn = { currency: 'EUR', timezone: 'UTC' };

/** As long as the client waits: a world's query is small, and slow only where the machine is busy. */
const QUERY_MAX_MS = 55_000;

/**
 * An empty warehouse with the schema, or the one in the subfolder `warehouse` of a folder, which is removed at the end. One
 * at a time in a process: the engine has one data folder.
 */
export async function openWorldWarehouse(
  folder = mkdtempSync(join(tmpdir(), 'tributary-world-')),
): Promise<WorldWarehouse> {
  const engine = await openEngine(join(folder, 'warehouse'));
  const engineServer = createEngineServer(
    { writes: [engine], lookups: [engine], queries: [engine] },
    engine,
    { folder },
  );
  const socketPath = join(folder, 'engine.sock');
  await new Promise<void>((resolve) => engineServer.http.listen(socketPath, resolve));
  const warehouse = createWarehouse({ kind: 'embedded', socketPath });
  await applySchema(warehouse);

  let rates: ExchangeRates = { days: [], perEuroByCode: new Map() };
  /** Payments with their refunds. */
  const paidById = new Map<string, Paid>();
  let paymentsVersion = 0;

  async function insertPaid(paid: readonly Paid[]): Promise<void> {
    paymentsVersion += 1;
    const lines = paid.flatMap(({ rows, shown }) => {
      const whole = [...rows.values()].map((row) => ({
        ...{ version: `${paymentsVersion}`, accepted_at: row.paid_at, ...row },
        amount_minor: `${row.amount_minor}`,
      }));
      const shownAt = [{ ...shown, place: 0 as const }];
      return addMoney(whole as unknown as PaymentRow[], shownAt, (code) =>
        toRateSpans([rates], code),
      ).map((row) => JSON.stringify(row));
    });
    await warehouse.insertLines('payments', Buffer.from(lines.join('\n')));
  }

  let costsVersion = 0;
  let personsVersion = 0;
  return {
    warehouse: {
      ...warehouse,
      select: (statement, limits) =>
        warehouse.select(statement, { durationMs: QUERY_MAX_MS, ...limits }),
    },
    async addEvents(rows) {
      const lines = rows.map((row) => toLineOpening(1) + toLineTail(row));
      await warehouse.insertLines('events', Buffer.from(lines.join('')));
    },
    async addPayments(rows, shown = EUROS) {
      const touched = new Set<Paid>();
      for (const row of rows) {
        const { original_transaction_id: original = '', transaction_id: own, site_id } = row;
        const paid = paidById.getOrInsertComputed(`${site_id} ${original || own}`, () => ({
          shown,
          rows: new Map(),
        }));
        paid.rows.set(`${row.kind} ${own}`, row);
        touched.add(paid);
      }
      await insertPaid([...touched]);
    },
    async addCosts(rows) {
      costsVersion += 1;
      const lines = rows.map((row) => {
        const shown = [{ ...EUROS, place: 0 as const }];
        const cost = { ...row, version: `${costsVersion}` };
        return JSON.stringify(addMoneyToCost(cost, shown, (code) => toRateSpans([rates], code)));
      });
      await warehouse.insertLines('costs', Buffer.from(lines.join('\n')));
    },
    async addPersons(rows) {
      personsVersion += 1;
      const lines = rows.map(([kind, key, person_id, site_id = 'site_persons']) =>
        JSON.stringify({ site_id, kind, key, person_id, version: personsVersion }),
      );
      await warehouse.insertLines('persons', Buffer.from(lines.join('\n')));
    },
    async merge() {
      await warehouse.command({ sql: 'OPTIMIZE TABLE visits FINAL' });
    },
    async addRates(table) {
      rates = toRates(Buffer.from(table), 'the table');
      await insertPaid([...paidById.values()]);
    },
    async close() {
      await warehouse.close();
      await engineServer.drain();
      engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
