import type { Connection, NewConnection } from '#domain/site/connection.ts';
import type { Sql, SqlRow, SqlValue } from '#storage/sql/sql.ts';
import { mintId } from '../schema/mint-id.ts';

const IS_LIVE = 'removed_at IS NULL';

/** Creates the store on a ledger connection. Its writes run in the caller's transaction. */
export function createConnectionStore(sql: Sql, now: () => number) {
  async function find(id: string): Promise<Connection | undefined> {
    const row = await sql.get(`SELECT * FROM connections WHERE id = ? AND ${IS_LIVE}`, id);
    return row && toConnection(row);
  }

  return {
    async addConnection(added: NewConnection): Promise<Connection> {
      const { siteId, provider, name, sealed, settings } = added;
      const id = mintId('conn_');
      await sql.run(
        `INSERT INTO connections (id, site_id, provider, name, secrets, settings, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ...[id, siteId, provider, name, sealed, JSON.stringify(settings), now()],
      );
      return (await find(id)) as Connection;
    },
    async listConnections(siteId?: string): Promise<readonly Connection[]> {
      const where = `${IS_LIVE}${siteId === undefined ? '' : ' AND site_id = ?'}`;
      const rows = await sql.all(
        `SELECT * FROM connections WHERE ${where} ORDER BY created_at, id`,
        ...(siteId === undefined ? [] : [siteId]),
      );
      return rows.map(toConnection);
    },
    async setConnection(
      id: string,
      { name, sealed, settings }: Partial<NewConnection>,
    ): Promise<Connection | undefined> {
      await sql.run(
        `UPDATE connections SET name = coalesce(?, name), secrets = coalesce(?, secrets),
           settings = coalesce(?, settings) WHERE id = ? AND ${IS_LIVE}`,
        ...[name ?? null, sealed ?? null, settings ? JSON.stringify(settings) : null, id],
      );
      return find(id);
    },
    async removeConnection(id: string) {
      const removed = await find(id);
      // The secrets go at once; nothing needs them any more.
      const remove = `UPDATE connections SET removed_at = ?, secrets = '' WHERE id = ? AND ${IS_LIVE}`;
      await sql.run(remove, now(), id);
      return removed;
    },
    async noteConnectionError(id: string, error: string) {
      const note = 'UPDATE connections SET last_error = ?, last_error_at = ? WHERE id = ?';
      await sql.run(note, error, now(), id);
    },
  };
}

/** Reads a row of `connections`. */
function toConnection(row: SqlRow): Connection {
  return {
    id: String(row.id),
    siteId: String(row.site_id),
    provider: String(row.provider),
    name: String(row.name),
    sealed: String(row.secrets),
    settings: JSON.parse(String(row.settings)),
    createdAt: Number(row.created_at),
    lastEventAt: toOptional(row.last_event_at, Number),
    lastError: toOptional(row.last_error, String),
    lastErrorAt: toOptional(row.last_error_at, Number),
  };
}

function toOptional<T>(value: SqlValue | undefined, to: (value: SqlValue) => T): T | undefined {
  return value === null || value === undefined ? undefined : to(value);
}
