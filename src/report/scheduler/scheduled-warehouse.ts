import type { ReportSite, ReportStatement, ReportWarehouse, Stops } from '../ports.ts';
import { createFairQueue, type QueueLimits } from './fair-queue.ts';

/** The warehouse as a site's queries may use it. */
export type WarehouseOf = (site: ReportSite) => ReportWarehouse;

/** Statements, of which a query has a few. A dashboard sends some thirty at once. */
const QUEUE_LIMITS = {
  runningMax: 3,
  runningBesideOthersMax: 2,
  waitingOfSiteMax: 500,
  waitingMax: 2_000,
  waitMaxMs: 30_000, // The query has its turn: what it was let begin should come to an end.
} as const satisfies QueueLimits;

/**
 * The warehouse for queries of many sites, each statement in its turn.
 *
 * Why one for all kinds of queries: they share the engine, and so must share one queue.
 */
export function scheduleStatements(warehouse: ReportWarehouse): WarehouseOf {
  const queue = createFairQueue(QUEUE_LIMITS);
  return (site) => ({
    select: <Row>(statement: ReportStatement, stops?: Stops) =>
      queue.run(site.id, () => warehouse.select<Row>(statement, stops), stops?.signal),
    selectFile: (statement, format, stops) =>
      queue.run(site.id, () => warehouse.selectFile(statement, format, stops), stops?.signal),
  });
}
