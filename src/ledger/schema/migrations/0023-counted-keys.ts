import type { Migration } from '#storage/sql/migrate.ts';

/** The keys of a person are counted when persons are joined: a number beside them was written for every payment. */
export const countedKeys: Migration = {
  version: 23,
  async up(sql) {
    await sql.exec('ALTER TABLE people DROP COLUMN keys');
  },
};
