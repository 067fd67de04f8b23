import type { Migration } from '#storage/sql/migrate.ts';
import { auditIds } from './0002-audit-ids.ts';

/** The changes of the schema of accounts since version 1, the oldest that was released. */
export const MIGRATIONS: readonly Migration[] = [auditIds];
