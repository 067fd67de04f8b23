import { hash } from 'node:crypto';
import {
  type Cost,
  type CostChange,
  type CostImport,
  type CostOutcome,
  type CostRange,
  toCostKey,
} from '#domain/money/cost.ts';
import type { Database, Sql, SqlRow } from '#storage/sql/sql.ts';
import { lockVersions, type Versions } from '../schema/counters.ts';
import { findCostsOn, type RecordedCost } from './find-costs.ts';

/** Costs of a site. Every change is one transaction. */
interface CostStore {
  /** Records costs with different keys. Each replaces the one with its key. */
  recordCosts(siteId: string, costs: readonly Cost[], change: CostChange): Promise<CostOutcome>;
  /** The files whose costs count, the latest first, and after them what requests have sent. */
  listCostImports(siteId: string): Promise<readonly CostImport[]>;
  /** Removes costs. Returns their number. */
  removeCosts(siteId: string, range: CostRange): Promise<number>;
}

/** Stands in for an import where costs came by requests. */
const BY_REQUEST = 'api';

type Deps = { readonly now: () => number; assertInPlace(): void };

/** Creates the store on the connection that writes. */
export function createCostStore(db: Database, { now, assertInPlace }: Deps): CostStore {
  return {
    async recordCosts(siteId, costs, change) {
      assertInPlace();
      return db.transaction(async (sql) => {
        const versions = await lockVersions(sql, 'costs'); // Before reading: others change costs, too.
        const known = await findCostsOn(sql, siteId, [...new Set(costs.map(({ day }) => day))]);
        const plan = planCosts(costs, known, change);
        if (change.isTrial) return plan.outcome;
        const importId =
          change.file === undefined ? undefined : toImportId(siteId, change.file, costs);
        await save({ sql, siteId, versions }, plan.stated, importId);
        await markRemoved({ sql, siteId, versions }, plan.removed, now());
        await versions.save();
        if (importId !== undefined) await saveImport(sql, [importId, siteId, change.file, now()]);
        await dropReplacedImports(sql, siteId);
        return { ...plan.outcome, ...(importId !== undefined && { importId }) };
      });
    },
    listCostImports: (siteId) => db.snapshot((sql) => listImports(sql, siteId)),
    async removeCosts(siteId, range) {
      assertInPlace();
      return db.transaction(async (sql) => {
        const versions = await lockVersions(sql, 'costs');
        const found = await findRange(sql, siteId, range);
        await markRemoved({ sql, siteId, versions }, found, now());
        await versions.save();
        await dropReplacedImports(sql, siteId);
        return found.length;
      });
    },
  };
}

type Stated = Cost & { readonly isChanged: boolean };
type Keyed = Pick<RecordedCost, 'id'>;
type Changing = { readonly sql: Sql; readonly siteId: string; readonly versions: Versions };

function planCosts(
  costs: readonly Cost[],
  known: readonly RecordedCost[],
  { isWhole }: CostChange,
): { stated: Stated[]; removed: Keyed[]; outcome: CostOutcome } {
  const live = known.filter(({ isRemoved }) => !isRemoved);
  const liveByKey = new Map(live.map((cost) => [toCostKey(cost), cost]));
  const stated = costs.map((cost) => {
    return { ...cost, isChanged: !isSame(cost, liveByKey.get(toCostKey(cost))) };
  });
  const keys = new Set(costs.map(toCostKey));
  const toPlace = ({ day, source }: Cost) => `${day} ${source}`;
  const places = new Set(costs.map(toPlace));
  const others = live.filter((cost) => !keys.has(toCostKey(cost)) && places.has(toPlace(cost)));
  const changed = stated.filter(({ isChanged }) => isChanged);
  const replaced = changed.filter((cost) => liveByKey.has(toCostKey(cost))).length;
  return {
    stated,
    removed: isWhole ? others : [],
    outcome: {
      added: changed.length - replaced,
      replaced,
      unchanged: stated.length - changed.length,
      removed: isWhole ? others.length : 0,
      kept: isWhole ? 0 : others.length,
    },
  };
}

function isSame(cost: Cost, known: Cost | undefined): boolean {
  return (
    known?.amountMinor === cost.amountMinor &&
    known.currency === cost.currency &&
    known.channel === cost.channel
  );
}

/** The same file again is the same import. */
function toImportId(siteId: string, file: string, costs: readonly Cost[]): string {
  const text = costs.map((cost) => `${toCostKey(cost)} ${cost.amountMinor} ${cost.currency}`);
  return `imp_${hash('sha256', [siteId, file, ...text].join('\n')).slice(0, 16)}`;
}

/** Writes what was stated. Only what has changed gets a new version, and ships to the warehouse. */
async function save(
  { sql, siteId, versions }: Changing,
  costs: readonly Stated[],
  importId: string | undefined,
): Promise<void> {
  const toRow = ({ day, source, medium, campaign, channel, amountMinor, currency }: Cost) => [
    ...[siteId, day, source, medium, campaign, channel, amountMinor, currency, importId ?? null],
    versions.next(),
  ];
  const [changed, same] = [true, false].map((is) => costs.filter((each) => each.isChanged === is));
  await sql.insert({
    into: 'costs',
    columns: [
      ...['site_id', 'day', 'source', 'medium', 'campaign', 'channel', 'amount_minor'],
      ...['currency', 'import_id', 'version'],
    ],
    rows: changed?.map(toRow) ?? [],
    end: `ON CONFLICT (site_id, day, source, medium, campaign) DO UPDATE SET
      channel = excluded.channel, amount_minor = excluded.amount_minor, currency = excluded.currency,
      import_id = excluded.import_id, removed_at = NULL, version = excluded.version`,
  });
  for (const { day, source, medium, campaign } of same ?? []) {
    await sql.run(
      `UPDATE costs SET import_id = ?
       WHERE site_id = ? AND day = ? AND source = ? AND medium = ? AND campaign = ?`,
      ...[importId ?? null, siteId, day, source, medium, campaign],
    );
  }
}

/** Marks costs as removed, so that the warehouse deletes its rows by a newer version. */
async function markRemoved(
  { sql, siteId, versions }: Changing,
  costs: readonly Keyed[],
  at: number,
): Promise<void> {
  for (const { id } of costs) {
    await sql.run(
      'UPDATE costs SET removed_at = ?, import_id = NULL, version = ? WHERE site_id = ? AND id = ?',
      ...[at, versions.next(), siteId, id],
    );
  }
}

async function saveImport(sql: Sql, values: readonly (string | number | undefined)[]) {
  await sql.run(
    `INSERT INTO cost_imports (id, site_id, file, imported_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET imported_at = excluded.imported_at`,
    ...values.map((value) => value ?? null),
  );
}

/** An import whose costs were all replaced or removed is none any more. */
async function dropReplacedImports(sql: Sql, siteId: string): Promise<void> {
  await sql.run(
    `DELETE FROM cost_imports WHERE site_id = ? AND NOT EXISTS (
       SELECT 1 FROM costs WHERE costs.import_id = cost_imports.id)`,
    siteId,
  );
}

async function findRange(sql: Sql, siteId: string, range: CostRange): Promise<Keyed[]> {
  const own = 'SELECT id FROM costs WHERE site_id = ? AND removed_at IS NULL';
  if ('importId' in range) {
    const isOf = range.importId === BY_REQUEST ? 'import_id IS NULL' : 'import_id = ?';
    const values = range.importId === BY_REQUEST ? [siteId] : [siteId, range.importId];
    return toKeyed(await sql.all(`${own} AND ${isOf}`, ...values));
  }
  const { from, until, source = null } = range;
  const isIn = 'day >= ? AND day <= ? AND source = coalesce(?, source)';
  return toKeyed(await sql.all(`${own} AND ${isIn}`, siteId, from, until, source));
}

const toKeyed = (rows: readonly SqlRow[]) => rows.map(({ id }) => ({ id: Number(id) }));

async function listImports(sql: Sql, siteId: string): Promise<CostImport[]> {
  const rows = await sql.all(
    `SELECT import_id, currency, CAST(sum(amount_minor) AS TEXT) AS amount_minor,
       count(*) AS costs, min(day) AS first_day, max(day) AS last_day
     FROM costs WHERE site_id = ? AND removed_at IS NULL
     GROUP BY import_id, currency ORDER BY currency`,
    siteId,
  );
  const imports = await sql.all(
    'SELECT id, file, imported_at FROM cost_imports WHERE site_id = ? ORDER BY imported_at DESC, id',
    siteId,
  );
  const all = [...imports, { id: null, file: '', imported_at: 0 }];
  return all.flatMap(({ id, file, imported_at: at }) => {
    const own = rows.filter((row) => row.import_id === id);
    if (own.length === 0) return [];
    const days = (name: string) => own.map((row) => String(row[name])).toSorted();
    return [
      {
        ...{ id: id === null ? BY_REQUEST : String(id), siteId, file: String(file) },
        importedAt: Number(at),
        costs: own.reduce((sum, row) => sum + Number(row.costs), 0),
        ...{ firstDay: days('first_day')[0], lastDay: days('last_day').at(-1) },
        sums: own.map(({ currency, amount_minor: minor }) => {
          return { currency: String(currency), amountMinor: BigInt(String(minor)) };
        }),
      },
    ];
  });
}
