import type { FindNewPayments } from '#ledger/find-new-payments.ts';
import type { ReportStatement } from '../ports.ts';

/** Up to where each queue was read. */
export type QueueMarks = ReadonlyMap<string, number>;

/** Accepted events that wait to be shipped, of all processes; opened while somebody listens. */
export interface WaitingEvents {
  findEnds(): QueueMarks;
  read(
    after: QueueMarks,
    siteIds: readonly string[],
  ): { readonly lines: readonly string[]; readonly marks: QueueMarks; readonly isCut: boolean };
  close(): void;
}

/** Where news of events and payments are found. */
export interface NewsSources {
  openWaitingEvents(): WaitingEvents;
  readonly findNewPayments: FindNewPayments;
  /** Asks the warehouse, out of turn and for a moment only. Throws when it does not answer. */
  select<Row>(statement: ReportStatement): Promise<Row[]>;
}
