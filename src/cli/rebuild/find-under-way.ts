import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { findJournalToken } from '#journal/queue-counts.ts';
import { openLedgerCounts } from '#ledger/open-counts.ts';
import type { DataPaths } from '#processes/paths.ts';

/**
 * The tokens of shipments that journals and outbox will send again at the next start.
 *
 * Why a rebuild leaves them out: one may be in the archive already, and the new warehouse has not
 * heard of its token.
 */
export function findUnderWay(paths: DataPaths): Set<string> {
  const folder = dirname(paths.journal(1));
  const numbers = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => /^\d+\.db$/.test(name))
    .map((name) => Number.parseInt(name, 10));
  const tokens = numbers.map((number) => findJournalToken(paths.journal(number), number));
  if (existsSync(paths.ledger)) {
    const ledger = openLedgerCounts(paths.ledger);
    tokens.push(ledger.findOutboxToken());
    ledger.close();
  }
  return new Set(tokens.filter((token) => token !== undefined));
}
