import { runLedgerThread } from '#ledger/open-ledger.ts';
import { takeEvents } from '#providers/inbox/take-events.ts';
import { around } from '#storage/crash-points.ts';

/** The thread that owns the ledger's connection for writes. */
await runLedgerThread((waiting) => around('provider events', () => takeEvents(waiting)));
