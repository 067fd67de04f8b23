import type { Migration } from '#storage/sql/migrate.ts';
import { matchedRefunds } from './0015-matched-refunds.ts';

/** The changes of the ledger's schema since version 14, the oldest that was released. */
export const MIGRATIONS: readonly Migration[] = [matchedRefunds];
