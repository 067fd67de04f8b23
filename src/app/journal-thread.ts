import { runJournalThread } from '#journal/journal-thread.ts';
import { openProjection } from '#ledger/payments/open-projection.ts';

/** The thread that commits events to the journal, and ships them with what the ledger has for the warehouse. */
runJournalThread(({ ledgerPath }, onTrouble) => openProjection(ledgerPath, onTrouble));
