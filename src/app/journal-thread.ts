import { openRates } from '#enrich/rates/open-rates.ts';
import { runJournalThread } from '#journal/journal-thread.ts';
import { openProjection } from '#ledger/open-ledger.ts';

/** The thread that commits events to the journal, and ships them together with the ledger's projections. */
await runJournalThread(({ ledger, ledgerPort, ratesPath }, onTrouble) =>
  openProjection(ledger, openRates(ratesPath, onTrouble), onTrouble, ledgerPort),
);
