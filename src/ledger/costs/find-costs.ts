import { addMoneyToCost } from '#contract/rows/add-money.ts';
import type { CostRow } from '#contract/rows/cost-row.ts';
import type { Cost } from '#domain/money/cost.ts';
import type { Sql, SqlRow, SqlValue } from '#storage/sql/sql.ts';
import type { VersionRange } from '../payments/find-payments.ts';
import { type KnownRates, readShown } from '../payments/site-money.ts';

/** A cost in the ledger. */
export type RecordedCost = Cost & {
  readonly id: number;
  readonly siteId: string;
  /** The import that stated it last; undefined if that was a request. */
  readonly importId: string | undefined;
  readonly isRemoved: boolean;
  readonly version: number;
};

/** Finds costs by the version of their last change, earliest first. All of them without a limit. */
export function findCosts(
  sql: Sql,
  { after, upTo }: VersionRange,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<RecordedCost[]> {
  return findWhere(sql, 'version > ? AND version <= ? ORDER BY version LIMIT ?', [
    ...[after, upTo, limit],
  ]);
}

/** Finds a site's costs after the one with this id. */
export function findCostsOf(
  sql: Sql,
  siteId: string,
  afterId: number,
  limit: number,
): Promise<RecordedCost[]> {
  return findWhere(sql, 'site_id = ? AND id > ? ORDER BY id LIMIT ?', [siteId, afterId, limit]);
}

/** Finds a site's costs on these days, removed ones too. */
export function findCostsOn(
  sql: Sql,
  siteId: string,
  days: readonly string[],
): Promise<RecordedCost[]> {
  const isOn = 'site_id = ? AND day IN (SELECT value FROM json_each(?))';
  return findWhere(sql, isOn, [siteId, JSON.stringify(days)]);
}

async function findWhere(sql: Sql, where: string, values: SqlValue[]): Promise<RecordedCost[]> {
  const rows = await sql.all(
    `SELECT id, site_id, day, source, medium, campaign, channel, currency, import_id, removed_at, version,
       CAST(amount_minor AS TEXT) AS amount_minor
     FROM costs WHERE ${where}`,
    ...values,
  );
  return rows.map(toRecordedCost);
}

function toRecordedCost(row: SqlRow): RecordedCost {
  const text = (name: string) => String(row[name]);
  return {
    ...{ id: Number(row.id), siteId: text('site_id'), day: text('day'), source: text('source') },
    ...{ medium: text('medium'), campaign: text('campaign'), channel: text('channel') },
    ...{ amountMinor: BigInt(text('amount_minor')), currency: text('currency') },
    importId: row.import_id === null ? undefined : text('import_id'),
    isRemoved: row.removed_at !== null,
    version: Number(row.version),
  };
}

/** The warehouse's row of a cost; a deleting one of a removed cost. */
function projectCost(cost: RecordedCost): CostRow {
  const { siteId, day, source, medium, campaign, channel, amountMinor, currency } = cost;
  return {
    ...{ site_id: siteId, day, source, medium, campaign, channel },
    ...{ amount_minor: `${amountMinor}`, currency, version: `${cost.version}` },
    ...(cost.isRemoved && { is_deleted: 1 }),
  };
}

/** Creates the function that makes the warehouse's row of a cost, with the money of its site. */
export async function createToCostRow(sql: Sql, { spansOf }: Pick<KnownRates, 'spansOf'>) {
  const shownById = await readShown(sql);
  return (cost: RecordedCost): object =>
    addMoneyToCost(projectCost(cost), shownById.get(cost.siteId) ?? [], spansOf);
}
