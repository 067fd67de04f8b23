import { createHash } from 'node:crypto';
import { isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';
import type { Import, NewImport, Undone } from '#domain/money/import.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { PaymentOutcome } from '#domain/outcome.ts';
import type { Database, Sql, SqlRow } from '#storage/sql/sql.ts';
import type { LedgerEntry, LedgerOutcome } from '../commit/commit-entries.ts';
import type { Reporter } from '../commit/imported-payments.ts';
import { resolveAll } from '../persons/resolve-persons.ts';
import { withdrawPayments } from './withdraw-payments.ts';

/** Imports of payments, which can be undone. */
interface ImportStore {
  /** Begins an import. The same file is the same import: an interrupted one goes on, and an undone one is back. */
  beginImport(file: NewImport): Promise<string>;
  /** Records reports of an import. Throws UnavailableError if some may not be recorded. */
  acceptImported(
    importId: string,
    siteId: string,
    reports: readonly PaymentReport[],
  ): Promise<readonly PaymentOutcome[]>;
  finishImport(id: string): Promise<void>;
  /** Imports of a site or of all, the latest first. */
  listImports(siteId?: string): Promise<readonly Import[]>;
  /** Withdraws what an import first recorded and nobody else has reported. An interrupted undo goes on. */
  undoImport(id: string, onProgress: (withdrawn: number) => void): Promise<Undone>;
}

type Deps = {
  readonly now: () => number;
  add(entry: LedgerEntry): Promise<LedgerOutcome>;
  assertInPlace(): void;
  onRecorded?: (() => void) | undefined;
};

/** Transactions withdrawn at a time, without those of the same payers: payments wait for the end, so they are few. */
const GROUP_MAX = 1_000;
/** And with them. */
const GROUP_WITH_PAYERS_MAX = 4_000;

const BY_HAND = `EXISTS (SELECT 1 FROM payment_changes AS changed WHERE
  changed.site_id = imported_payments.site_id AND changed.transaction_id = imported_payments.transaction_id)`;

/** Creates the store on a ledger connection. */
export function createImportStore(db: Database, deps: Deps): ImportStore {
  const note = async (column: 'finished_at' | 'undone_at', id: string) => {
    await db.run(`UPDATE imports SET ${column} = ? WHERE id = ?`, deps.now(), id);
  };

  return {
    async beginImport({ siteId, file, format, digest }) {
      const hash = createHash('sha256').update(`${siteId} ${digest}`).digest('hex');
      const id = `imp_${hash.slice(0, 16)}`;
      await db.run(
        `INSERT INTO imports (id, site_id, file, format, started_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET finished_at = NULL, undone_at = NULL`,
        ...[id, siteId, file, format, deps.now()],
      );
      return id;
    },
    async acceptImported(importId, siteId, reports) {
      const added = reports.map((report) =>
        deps.add({ kind: 'payment', siteId, report, claim: undefined, importId }),
      );
      const outcomes = await Promise.all(added);
      if (outcomes.some(({ kind }) => kind === 'recorded')) deps.onRecorded?.();
      return outcomes as readonly PaymentOutcome[];
    },
    finishImport: (id) => note('finished_at', id),
    async listImports(siteId) {
      const rows = await db.all(
        `SELECT imports.*, (SELECT count(*) FROM imported_payments WHERE import_id = imports.id)
           AS transactions
         FROM imports WHERE site_id = coalesce(?, site_id) ORDER BY started_at DESC, id`,
        siteId ?? null,
      );
      return rows.map(toImport);
    },
    async undoImport(id, onProgress) {
      deps.assertInPlace();
      await note('undone_at', id);
      let withdrawn = 0;
      let next: NextGroup = { after: '', withdrawn: 0 };
      while (next.after !== undefined) {
        await resolveAll(db); // So that no pending fact is applied after the change.
        const { after } = next;
        next = await db.transaction((sql) => withdrawSome(sql, id, after));
        withdrawn += next.withdrawn;
        onProgress(withdrawn);
      }
      deps.onRecorded?.();
      return { withdrawn, stay: await db.transaction((sql) => passOn(sql, id)) };
    },
  };
}

const IS_WITHDRAWN = `imported_payments.import_id = ? AND reported_by IS NULL AND NOT ${BY_HAND}`;

/** The transaction after which the next group begins, if there may be more. */
type NextGroup = { readonly after: string | undefined; readonly withdrawn: number };

/** Withdraws the next transactions, and those of the same payers: so each person is made again once. */
async function withdrawSome(sql: Sql, importId: string, after: string): Promise<NextGroup> {
  const rows = await sql.all(
    `SELECT site_id, transaction_id FROM imported_payments
     WHERE ${IS_WITHDRAWN} AND transaction_id > ? ORDER BY site_id, transaction_id LIMIT ${GROUP_MAX}`,
    ...[importId, after],
  );
  const last = rows.at(-1);
  if (last === undefined) return { withdrawn: 0, after: undefined };
  const siteId = String(last.site_id);
  const next = rows.map((row) => String(row.transaction_id));
  const ids = await addThoseOfPayers(sql, siteId, importId, next);
  await withdrawPayments(sql, siteId, ids);
  await sql.run(
    `DELETE FROM imported_payments
     WHERE site_id = ? AND transaction_id IN (SELECT value FROM json_each(?))`,
    ...[siteId, JSON.stringify(ids)],
  );
  return { withdrawn: ids.length, after: String(last.transaction_id) };
}

async function addThoseOfPayers(
  sql: Sql,
  siteId: string,
  importId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const all = new Set(ids);
  const own = await sql.arrays(
    `SELECT customer_id, email, visitor_id FROM payments
     WHERE site_id = ? AND transaction_id IN (SELECT value FROM json_each(?))`,
    ...[siteId, JSON.stringify(ids)],
  );
  for (const [at, kind] of (['customer', 'email', 'visitor'] as const).entries()) {
    const keys = new Set(own.map((row) => String(row[at] ?? '')));
    const named = [...keys].filter((key) => !isPlaceholderKey(kind, key));
    if (named.length === 0) continue;
    const theirs = await sql.all(
      `SELECT transaction_id FROM payments INDEXED BY payments_by_${kind} WHERE site_id = ?
         AND ${kind === 'email' ? kind : `${kind}_id`} IN (SELECT value FROM json_each(?))
       LIMIT ${GROUP_WITH_PAYERS_MAX}`,
      ...[siteId, JSON.stringify(named)],
    );
    for (const row of theirs) all.add(String(row.transaction_id));
  }
  const withdrawn = await sql.all(
    `SELECT transaction_id FROM imported_payments WHERE ${IS_WITHDRAWN}
       AND site_id = ? AND transaction_id IN (SELECT value FROM json_each(?))`,
    ...[importId, siteId, JSON.stringify([...all])],
  );
  return withdrawn.map((row) => String(row.transaction_id));
}

/** Counts what stays, and passes on what another import has reported: it is now the one that first recorded it. */
async function passOn(sql: Sql, importId: string): Promise<Undone['stay']> {
  const rows = await sql.all(
    `SELECT CASE WHEN ${BY_HAND} THEN 'hand' ELSE reported_by END AS reason, count(*) AS count
     FROM imported_payments WHERE import_id = ? GROUP BY reason`,
    importId,
  );
  const stay = { api: 0, provider: 0, import: 0, hand: 0 };
  for (const { reason, count } of rows) {
    stay[reasonOf(String(reason) as Reporter | 'hand')] += Number(count);
  }
  await sql.run(
    `UPDATE imported_payments SET import_id = reported_by, reported_by = NULL
     WHERE import_id = ? AND reported_by LIKE 'imp_%'`,
    importId,
  );
  return stay;
}

const reasonOf = (by: Reporter | 'hand') =>
  (/^imp_/.test(by) ? 'import' : by) as keyof Undone['stay'];

const toInstant = (value: SqlRow[string] | undefined) =>
  value == null ? undefined : Number(value);

function toImport(row: SqlRow): Import {
  return {
    ...{ id: String(row.id), siteId: String(row.site_id), file: String(row.file) },
    ...{ format: String(row.format), startedAt: Number(row.started_at) },
    ...{ finishedAt: toInstant(row.finished_at), undoneAt: toInstant(row.undone_at) },
    transactions: Number(row.transactions),
  };
}
