import type { Migration } from '#storage/sql/migrate.ts';

/** The warehouse's payments have money in the currency of their site, on terms that the site keeps. */
export const convertedPayments: Migration = {
  version: 17,
  async up(sql) {
    await sql.exec("ALTER TABLE sites ADD COLUMN projection TEXT NOT NULL DEFAULT '{}';");
  },
};
