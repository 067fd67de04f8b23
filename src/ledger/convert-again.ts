import { DAY_MS } from '#domain/time/durations.ts';
import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import type { Database, Sql } from '#storage/sql/sql.ts';
import { createToCostRow, findCostsOf } from './costs/find-costs.ts';
import { countPaymentsOf, findPaymentsOf, type PaymentScope } from './payments/find-payments.ts';
import {
  createToRows,
  isOn,
  type KnownRates,
  type MoneyWalk,
  type ProjectedSite,
  readProjectedSites,
  type SiteProjection,
  type Terms,
} from './payments/site-money.ts';

/** Payments looked at a time. Others ship between pages: a million in a minute does not hold them up. */
const PAGE_PAYMENTS = 20_000;

/**
 * Ships payments and costs again whose site has another currency or time zone, or whose day has other rates.
 *
 * - Shape: while a currency changes, rows have money in both, in two places. Reports read the other place when all rows
 *   have it.
 * - Shape: rows from before there were terms have no money. The warehouse reads them as paid in the site's currency, which
 *   most are. Only the others are shipped again.
 * - Why no new versions: of rows with the same one, the warehouse keeps the last.
 */
export function conversions(
  db: Database,
  save: (changes: readonly ProjectionChange[]) => Promise<void>,
  rates: KnownRates,
): ShipmentSource {
  return {
    async nextShipment(): Promise<Shipment | undefined> {
      const digest = rates.digest();
      const ended: ProjectionChange[] = [];
      for (const site of await readProjectedSites(db)) {
        const to = { currency: site.currency, timezone: site.timezone, rates: digest };
        const walk = await findWalk(db, site, to, rates);
        if (walk === undefined) continue;
        const page =
          (await findPaymentPage(db, site, walk, rates)) ??
          (await findCostPage(db, site, walk, rates));
        if (page === undefined) {
          ended.push([site, endOf(site, to)]);
          continue;
        }
        const walked = { ...site.projection, walk: { ...walk, ...page.reached } };
        return {
          table: page.table,
          lines: Buffer.from(page.rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
          rows: page.rows.length,
          hasMore: false,
          hasMoreLater: 'soon',
          confirm: () => save([...ended, [site, walked]]),
        };
      }
      if (ended.length > 0) await save(ended);
      return undefined;
    },
  };
}

/** The next payments of a walk; undefined when it has reached the costs. */
async function findPaymentPage(
  db: Database,
  { id }: ProjectedSite,
  walk: MoneyWalk,
  rates: KnownRates,
) {
  if (walk.costId !== undefined) return undefined;
  const found = await db.snapshot((sql) => findPaymentsOf(sql, id, walk, PAGE_PAYMENTS));
  if (found.last === undefined) return undefined;
  const reached = { ...found.last, converted: walk.converted + found.payments.length };
  const rows = found.payments.flatMap(await createToRows(db, rates));
  return { table: 'payments', rows, reached };
}

/** The next costs of a walk, of any day: they are few. Undefined when all are converted. */
async function findCostPage(
  db: Database,
  { id, currency }: ProjectedSite,
  { costId = 0, scope }: MoneyWalk,
  rates: KnownRates,
) {
  const found = await findCostsOf(db, id, costId, PAGE_PAYMENTS);
  const last = found.at(-1);
  if (last === undefined) return undefined;
  const meant = found.filter((cost) => scope === 'all' || cost.currency !== currency);
  const rows = meant.map(await createToCostRow(db, rates));
  return { table: 'costs', rows, reached: { costId: last.id } };
}

/** The walk that a site needs: the one under way, or a new one; undefined if its rows are right. */
async function findWalk(
  sql: Sql,
  { id, projection }: ProjectedSite,
  to: Terms,
  rates: KnownRates,
): Promise<MoneyWalk | undefined> {
  const { walk, ...done } = projection;
  if (isOn({ projection }, to)) return undefined;
  if (walk !== undefined && isOn({ projection: walk.to }, to)) return walk;
  const scope = scopeOf(projection, to);
  const isOfRates = scope === 'foreign' && done.timezone === to.timezone;
  // A day more, because a site's days begin at other times.
  const firstDay = isOfRates ? rates.changedSince(done.rates ?? '') - 1 : 0;
  const from = { scope, at: Math.max(0, firstDay * DAY_MS), id: 0 };
  return { to, ...from, converted: 0, payments: await countPaymentsOf(sql, id, from) };
}

function scopeOf({ currency, walk }: SiteProjection, to: Terms): PaymentScope {
  if (currency === to.currency) return 'foreign';
  return currency === undefined && walk === undefined ? 'foreign_or_refunded' : 'all';
}

function endOf({ projection }: ProjectedSite, to: Terms): SiteProjection {
  const { currency = to.currency, place = 0 } = projection;
  const other = place === 0 ? 1 : 0;
  return { ...to, place: currency === to.currency ? place : other };
}

/** A site, and how its rows are now. */
export type ProjectionChange = readonly [ProjectedSite, SiteProjection];

/** Saves how the rows of sites are. All processes read the sites again, for what is shown and how far it is. */
export function saveProjections(db: Database, changes: readonly ProjectionChange[]): Promise<void> {
  return db.transaction(async (sql: Sql) => {
    for (const [{ id }, next] of changes) {
      const text = JSON.stringify(next);
      await sql.run('UPDATE sites SET projection = ? WHERE id = ?', text, id);
    }
    await sql.run("UPDATE counters SET value = value + 1 WHERE name = 'directory'");
  });
}
