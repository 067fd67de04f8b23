import { askInTime } from '#ingest/ask-in-time.ts';
import { openVisitorExchange } from '#ingest/open-visitor-exchange.ts';
import type { RecordedEvents, VisitorDirectory } from '#ingest/ports.ts';
import { createRecordedEvents } from '#ingest/recorded-events.ts';
import { createVisitorDirectory } from '#ingest/visitor-directory.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { findEvents } from '#warehouse/find-events.ts';
import { findVisitors } from '#warehouse/find-visitors.ts';

/** What one web process finds out about visitors and their events. */
export interface Visitors {
  readonly directory: VisitorDirectory;
  readonly recorded: RecordedEvents;
  close(): void;
}

/** Which of how many processes it is, and whom it asks. */
export type VisitorsOptions = {
  readonly index: number;
  readonly count: number;
  readonly paths: { webSocket(index: number): string };
  readonly warehouse: Warehouse;
  waitForShipping(): Promise<void>;
};

/** Look-ups take milliseconds; the embedded engine is replaced when it is silent for as long. */
const WAREHOUSE_PATIENCE = { answerMaxMs: 2_000, restMs: 10_000 };

/** Joins memory, the other web processes, and the warehouse. */
export function openVisitors(options: VisitorsOptions): Visitors {
  const { index, count, paths, warehouse, waitForShipping } = options;
  const recall: VisitorDirectory['recall'] = (...visitor) => directory.recall(...visitor);
  const exchange =
    count > 1
      ? openVisitorExchange({ index, count, socketOf: paths.webSocket, recall })
      : undefined;
  const directory = createVisitorDirectory({
    findVisitors: askInTime(
      (visitors: Parameters<typeof findVisitors>[1]) => findVisitors(warehouse, visitors),
      WAREHOUSE_PATIENCE,
    ),
    askOthers: exchange?.ask,
    waitForShipping,
  });
  const recorded = createRecordedEvents({
    findEvents: (events) => findEvents(warehouse, events),
    waitForShipping,
  });
  return { directory, recorded, close: () => exchange?.close() };
}
