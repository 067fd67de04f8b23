import type { EventRow } from '#contract/rows/event-row.ts';
import type { KnownVisitor, VisitClass } from '#domain/visit/known-visitor.ts';
import { findOpenVisit } from '#domain/visit/visit-gap.ts';

/**
 * The row of an event that a backend reports. It belongs to the visitor's open visit, if any, and
 * does not prolong it. It has the class of that visit, or else of the visitor.
 */
export function toReportedRow(
  reported: Omit<EventRow, 'occurred_at' | 'accepted_at'>,
  at: number,
  visitor: KnownVisitor | undefined,
): EventRow {
  const visit = visitor && findOpenVisit(visitor, at);
  const known: Partial<VisitClass> | undefined = (visit && visitor.visitClass) ?? visitor;
  return {
    ...reported,
    occurred_at: at,
    accepted_at: at,
    visit_id: visit?.visitId,
    visit_started_at: visit?.visitStartedAt,
    extends_visit: 0,
    ...(known?.botClass && { bot_class: known.botClass, bot_reason: known.botReason }),
  };
}
