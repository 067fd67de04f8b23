import { runEraseThread } from '#ingest/erase/erase-thread.ts';
import { openErasures } from '#ledger/open-ledger.ts';
import { readTrustedNow } from '#storage/keep-clock.ts';

/** The thread that erases visitors, and deletes events past their retention. */
await runEraseThread(({ ledger, clockPath }) =>
  openErasures(ledger, Date.now, () => readTrustedNow(clockPath)),
);
