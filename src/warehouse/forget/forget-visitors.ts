import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '#domain/unavailable.ts';
import type { Warehouse } from '../client.ts';
import { VIEWS } from '../tables/schema.ts';
import { OLD_PARTS_KEPT } from '../tables/table-settings.ts';
import { countHeld, type HeldEvents, putBack } from './held-events.ts';
import { inNamedBatch, mutate, withNames } from './with-names.ts';

/** Whom the warehouse is to forget. */
export type Forgotten = {
  readonly siteId: string;
  readonly visitors: readonly string[];
  readonly transactions: readonly string[];
  /** Only events that were accepted until then. */
  readonly until: number;
};

const TABLES = ['events', 'visits', 'visitors', 'payments', 'persons'] as const;
const NAMES = 'forgetting';
/** A month before all that is accepted; no table without months has such a partition. */
const EMPTY_PARTITION = '190001';
const PARTS_GONE_MAX_MS = 40_000;
const LOOK_EVERY_MS = 500;

/** The events that {@link forgetVisitors} will take out. */
export async function findHeldEvents(
  warehouse: Pick<Warehouse, 'select'>,
  { siteId, visitors, until }: Forgotten,
): Promise<HeldEvents> {
  return countHeld(warehouse, {
    sql: `e.site_id = {site:String} AND e.visitor_id IN {visitors:Array(String)}
      AND e.accepted_at <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')`,
    params: { site: siteId, visitors: [...visitors], until },
  });
}

/**
 * Takes visitors out of every table, and resolves when no file of the engine holds them any more.
 *
 * - Shape: payments keep their money. Events accepted later stay, with what visits make of them, and so do those of
 *   batches that are not named: whatever goes has been counted, and goes from the archive, too.
 * - Safe to repeat.
 * - `alone` keeps shippers away while visits and visitors are made again; else an event that comes between would count
 *   twice in them.
 * - Why mutations and not lightweight deletes: these only hide rows, until some merge takes them out.
 */
export async function forgetVisitors(
  warehouse: Warehouse,
  forgotten: Forgotten & Pick<HeldEvents, 'batchIds'>,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const { siteId, visitors, transactions, batchIds, until } = forgotten;
  const site = { site: siteId };
  const named = (kind: string) => `(SELECT key FROM ${NAMES} WHERE kind = '${kind}')`;
  await withNames(warehouse, NAMES, async (add) => {
    await add('visitor', visitors);
    await add('transaction', transactions);
    await add('batch', batchIds);
    const ofVisitors = `site_id = {site:String} AND visitor_id IN ${named('visitor')}`;
    await mutate(
      warehouse,
      `events DELETE WHERE ${ofVisitors} AND ${inNamedBatch(NAMES)}
        AND accepted_at <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')`,
      { ...site, until },
    );
    const ofNumbers = `site_id = {site:String} AND visitor IN (SELECT cityHash64(key) FROM ${NAMES} WHERE kind = 'visitor')`;
    // What a visitor did after the request makes visits as ever; the rows before it were all taken out.
    const isTheirs = `e.site_id = {site:String} AND e.visitor_id IN ${named('visitor')}`;
    await alone(async () => {
      for (const view of VIEWS) {
        await mutate(warehouse, `${view.table} DELETE WHERE ${ofNumbers}`, site);
        await putBack(warehouse, view, { where: isTheirs, params: site });
      }
    });
    await mutate(
      warehouse,
      `payments UPDATE visitor_id = '', customer_id = '', email = '' WHERE site_id = {site:String}
        AND (transaction_id IN ${named('transaction')} OR original_transaction_id IN ${named('transaction')})`,
      site,
    );
    await mutate(
      warehouse,
      `persons DELETE WHERE site_id = {site:String}
        AND (kind, key) IN (SELECT kind, key FROM ${NAMES})`,
      site,
    );
    await dropOldParts(warehouse);
  });
}

/**
 * Resolves when the parts that mutations and merges have replaced by now are off the disk.
 *
 * - Why not at once, ever: the engine keeps them for a minute, so that what replaced them is surely on
 *   disk by then. A power cut within seconds of an erasure may leave the warehouse to be rebuilt.
 * - Why partitions are dropped that nothing can lie in: that makes the engine look for old parts.
 */
async function dropOldParts(warehouse: Warehouse): Promise<void> {
  const tables = TABLES.map((table) => `'${table}'`).join(', ');
  const [clock] = await warehouse.select<{ at: string }>({ sql: 'SELECT toString(now()) AS at' });
  try {
    for (const table of TABLES) {
      await warehouse.command({
        sql: `ALTER TABLE ${table} MODIFY SETTING old_parts_lifetime = 1`,
      });
    }
    for (const until = performance.now() + PARTS_GONE_MAX_MS; ; ) {
      for (const table of TABLES) {
        await warehouse.command({
          sql: `ALTER TABLE ${table} DROP PARTITION ID '${EMPTY_PARTITION}'`,
        });
      }
      const [row] = await warehouse.select<{ old: string }>({
        sql: `SELECT count() AS old FROM system.parts
          WHERE database = currentDatabase() AND table IN (${tables}) AND NOT active
            AND remove_time <= toDateTime({at:String})`,
        params: { at: clock?.at },
      });
      if (row?.old === '0') return;
      if (performance.now() > until) throw new UnavailableError('Old parts are still on disk.');
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    for (const table of TABLES) {
      await warehouse.command({ sql: `ALTER TABLE ${table} MODIFY SETTING ${OLD_PARTS_KEPT}` });
    }
  }
}
