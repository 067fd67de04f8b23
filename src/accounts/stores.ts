import type { Database, Sql } from '#storage/sql/sql.ts';
import { createAlerts } from './alerts.ts';
import { createAudit } from './audit.ts';
import { createLinks } from './links.ts';
import { createMembers } from './members.ts';
import { createNotices } from './notices.ts';
import { createUsers } from './users.ts';

/** The stores of accounts on one connection. */
export type Stores = ReturnType<typeof createAccountStores>;

/** Runs `work` in a transaction. Of two that begin at once, the second one sees what the first one has done. */
export type Change = <T>(work: (stores: Stores) => Promise<T>) => Promise<T>;

/** Creates the stores on a connection. */
export function createAccountStores(sql: Sql, now: () => number) {
  return {
    users: createUsers(sql, now),
    links: createLinks(sql, now),
    members: createMembers(sql, now),
    audit: createAudit(sql, now),
    notices: createNotices(sql),
    alerts: createAlerts(sql, now),
  };
}

/** Creates the function that changes the accounts in a database. */
export function createChange(db: Database, now: () => number): Change {
  return (work) =>
    db.transaction(async (sql) => {
      if (sql.dialect === 'postgres') await sql.run('SELECT pg_advisory_xact_lock(7283642)');
      return work(createAccountStores(sql, now));
    });
}
