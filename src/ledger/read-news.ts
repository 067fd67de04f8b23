import type { Sql } from '#storage/sql/sql.ts';

/** What other processes and threads have changed. */
export type News = {
  readonly erasures: number;
  readonly changes: number;
  readonly outboxBytes: number;
};

/** Reads how much has changed since the ledger began, and the size of its outbox. */
export async function readNews(sql: Sql): Promise<News> {
  const rows = await sql.all(`SELECT name, value FROM counters
    WHERE name IN ('payments', 'persons', 'directory', 'erasures', 'outbox_bytes')`);
  const countOf = (name: string) => Number(rows.find((row) => row.name === name)?.value);
  return {
    erasures: countOf('erasures'),
    changes: countOf('payments') + countOf('persons') + countOf('directory'),
    outboxBytes: countOf('outbox_bytes'),
  };
}
