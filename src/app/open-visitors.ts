import { askInTime } from '#ingest/ask-in-time.ts';
import { createRecordedEvents } from '#ingest/recorded-events.ts';
import { createVisitorDirectory } from '#ingest/visitor-directory.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { findEvents } from '#warehouse/events/find-events.ts';
import { findVisitors } from '#warehouse/events/find-visitors.ts';

/** Lookups take milliseconds. After two seconds of silence, the embedded engine is replaced. */
const WAREHOUSE_PATIENCE = { answerMaxMs: 2_000, restMs: 10_000 };

/** Finds recent visitors in memory, all others in the warehouse. */
export function openVisitors(warehouse: Warehouse, waitForShipping: () => Promise<void>) {
  const directory = createVisitorDirectory({
    findVisitors: askInTime(
      (visitors: Parameters<typeof findVisitors>[1]) => findVisitors(warehouse, visitors),
      WAREHOUSE_PATIENCE,
    ),
    waitForShipping,
  });
  const recorded = createRecordedEvents({
    findEvents: (events) => findEvents(warehouse, events),
    waitForShipping,
  });
  return { directory, recorded };
}
