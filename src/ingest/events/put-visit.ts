import { findOpenVisit } from '#domain/visit/visit-gap.ts';
import { findVisitStart } from '#domain/visit/visit-start.ts';
import { instantOfUuid } from '../new-uuid.ts';
import type { EventDraft, Step } from './event-draft.ts';

/** Puts the visit: the one that the event names, else the visitor's open one, else a new one. */
export const putVisit: Step = (draft, { recall, newId }) => {
  const known = recall(draft.site.id, draft.event.service_visitor_id);
  const named = findNamedVisit(draft);
  const isKnown = named !== undefined && known?.visitId === named.visitId;
  const visit = isKnown // Its start stands, even where the sender's clock has been set since.
    ? { visitId: named.visitId, visitStartedAt: known.visitStartedAt }
    : (named ?? (known && findOpenVisit(known, draft.occurredAt)) ?? newVisit(draft, newId));
  draft.visitId = visit.visitId;
  draft.visitStartedAt = visit.visitStartedAt;
  return undefined;
};

type NamedVisit = { readonly visitId: string; readonly visitStartedAt: number };

/** Nothing too when the visit's start is far from the event. */
export function findNamedVisit(draft: EventDraft): NamedVisit | undefined {
  const visitId = draft.event.visit_id?.toLowerCase();
  if (visitId === undefined) return undefined;
  const visitStartedAt = findVisitStart({
    mintedAt: instantOfUuid(visitId),
    sentAt: draft.event.sent_at,
    receivedAt: draft.receivedAt,
    occurredAt: draft.occurredAt,
  });
  return visitStartedAt === undefined ? undefined : { visitId, visitStartedAt };
}

function newVisit(draft: EventDraft, newId: (atMs: number) => string): NamedVisit {
  return { visitId: newId(draft.occurredAt), visitStartedAt: draft.occurredAt };
}
