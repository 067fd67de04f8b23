import { runEraseThread } from '#ingest/erase/erase-thread.ts';
import { callErasures } from '#ledger/open-ledger.ts';

/** The thread that erases visitors, and deletes events past their retention. */
await runEraseThread(callErasures);
