import { watchWaitingEvents } from '#journal/read-waiting-events.ts';
import type { Ledger } from '#ledger/open-ledger.ts';
import { type LiveWatch, watchLive } from '#report/live/watch-live.ts';
import type { Warehouse } from '#warehouse/client.ts';

/** A look at what is new takes no longer than this, or is left out. */
const LOOK_MAX_MS = 1_000;

/** The watch of one web process: over the queues of all processes, the ledger, and the warehouse. */
export function openLiveWatch({
  paths,
  ledger,
  warehouse,
}: {
  readonly paths: { readonly ledger: string; readonly journals: string };
  readonly ledger: Pick<Ledger, 'findNewPayments'>;
  readonly warehouse: Warehouse;
}): LiveWatch {
  const places = { journals: paths.journals, ledger: paths.ledger };
  return watchLive(
    {
      openWaitingEvents: () => watchWaitingEvents(places),
      findNewPayments: ledger.findNewPayments,
      // Beside the questions of reports, which take their turns and may take long.
      select: (statement) => warehouse.select(statement, { durationMs: LOOK_MAX_MS }),
    },
    Date.now,
  );
}
