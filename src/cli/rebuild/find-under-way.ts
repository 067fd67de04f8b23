import { existsSync } from 'node:fs';
import { openLedgerCounts } from '#ledger/open-counts.ts';
import type { DataPaths } from '#processes/paths.ts';
import { listJournals } from '#storage/list-journals.ts';
import { findJournalToken } from '#storage/queue-counts.ts';

/**
 * The tokens of shipments that journals and outbox will send again at the next start.
 *
 * Why a rebuild leaves them out: one may be in the archive already, and the new warehouse has not
 * heard of its token.
 */
export function findUnderWay(paths: DataPaths): Set<string> {
  const tokens = listJournals(paths.journals).map(({ number, path }) =>
    findJournalToken(path, number),
  );
  if (existsSync(paths.ledger)) {
    const ledger = openLedgerCounts(paths.ledger);
    tokens.push(ledger.findOutboxToken());
    ledger.close();
  }
  return new Set(tokens.filter((token) => token !== undefined));
}
