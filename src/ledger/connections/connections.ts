import { randomBytes } from 'node:crypto';
import type { Sql, SqlRow, SqlValue } from '#storage/sql/sql.ts';
import type { InboxEvent } from './inbox.ts';
import { createInbox, type Inbox } from './inbox-counts.ts';

/** A site's connection to a payment provider. */
export type Connection = {
  readonly id: string;
  readonly siteId: string;
  /** The provider's name, such as `stripe`. */
  readonly provider: string;
  readonly name: string;
  /** Its secrets, encrypted. */
  readonly sealed: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly lastEventAt: number | undefined;
  readonly lastError: string | undefined;
  readonly lastErrorAt: number | undefined;
};

/** The request to add a connection. */
export type NewConnection = Pick<
  Connection,
  'siteId' | 'provider' | 'name' | 'sealed' | 'settings'
>;

/** The connections of the ledger. Removed ones keep their events and payments. */
export interface ConnectionStore {
  addConnection(connection: NewConnection): Promise<Connection>;
  /** Those of one site or of all, oldest first. */
  listConnections(siteId?: string): Promise<readonly Connection[]>;
  /** Changes a connection. Undefined if there is none. */
  setConnection(
    id: string,
    change: Partial<Pick<Connection, 'name' | 'sealed' | 'settings'>>,
  ): Promise<Connection | undefined>;
  /** Returns the connection that was removed, if there was one. */
  removeConnection(id: string): Promise<Connection | undefined>;
  /** Notes what went wrong last. */
  noteConnectionError(id: string, error: string): Promise<void>;
}

/** Makes the id of a connection: `conn_` and 16 letters and digits, which nobody guesses. */
export function newConnectionId(): string {
  const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
  const random = [...randomBytes(16)].map((byte) => LETTERS[byte % LETTERS.length]);
  return `conn_${random.join('')}`;
}

const IS_LIVE = 'removed_at IS NULL';

/** Creates the store on a ledger connection. Its writes run in the caller's transaction. */
export function createConnectionStore(sql: Sql, now: () => number): ConnectionStore {
  async function find(id: string): Promise<Connection | undefined> {
    const row = await sql.get(`SELECT * FROM connections WHERE id = ? AND ${IS_LIVE}`, id);
    return row && toConnection(row);
  }

  return {
    async addConnection({ siteId, provider, name, sealed, settings }) {
      const id = newConnectionId();
      await sql.run(
        `INSERT INTO connections (id, site_id, provider, name, secrets, settings, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ...[id, siteId, provider, name, sealed, JSON.stringify(settings), now()],
      );
      return (await find(id)) as Connection;
    },
    async listConnections(siteId) {
      const where = `${IS_LIVE}${siteId === undefined ? '' : ' AND site_id = ?'}`;
      const rows = await sql.all(
        `SELECT * FROM connections WHERE ${where} ORDER BY created_at, id`,
        ...(siteId === undefined ? [] : [siteId]),
      );
      return rows.map(toConnection);
    },
    async setConnection(id, { name, sealed, settings }) {
      await sql.run(
        `UPDATE connections SET name = coalesce(?, name), secrets = coalesce(?, secrets),
           settings = coalesce(?, settings) WHERE id = ? AND ${IS_LIVE}`,
        ...[name ?? null, sealed ?? null, settings ? JSON.stringify(settings) : null, id],
      );
      return find(id);
    },
    async removeConnection(id) {
      const removed = await find(id);
      // The secrets go at once; nothing needs them any more.
      const remove = `UPDATE connections SET removed_at = ?, secrets = '' WHERE id = ? AND ${IS_LIVE}`;
      await sql.run(remove, now(), id);
      return removed;
    },
    async noteConnectionError(id, error) {
      const note = 'UPDATE connections SET last_error = ?, last_error_at = ? WHERE id = ?';
      await sql.run(note, error, now(), id);
    },
  };
}

/** The connections of an open ledger, whose changes every process sees, and their inbox. */
export interface Connections extends ConnectionStore, Inbox {
  /** Keeps a provider's event. Returns whether it is new. Throws UnavailableError if it could not be written. */
  acceptProviderEvent(event: InboxEvent): Promise<boolean>;
}

type OpenPorts = {
  readonly now: () => number;
  /** Makes a change that every process loads. */
  change<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Commits an event with others. */
  add(entry: { kind: 'provider_event'; event: InboxEvent }): Promise<{ readonly kind: string }>;
};

/** Opens the connections on a ledger connection. */
export function openConnections(sql: Sql, { now, change, add }: OpenPorts): Connections {
  const storeOn = (inside: Sql) => createConnectionStore(inside, now);
  return {
    acceptProviderEvent: async (event) =>
      (await add({ kind: 'provider_event', event })).kind === 'recorded',
    ...storeOn(sql),
    ...createInbox(sql),
    addConnection: (added) => change((inside) => storeOn(inside).addConnection(added)),
    setConnection: (...to) => change((inside) => storeOn(inside).setConnection(...to)),
    removeConnection: (id) => change((inside) => storeOn(inside).removeConnection(id)),
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
