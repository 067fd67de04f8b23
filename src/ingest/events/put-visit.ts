import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { findOpenVisit, VISIT_GAP_MS } from '#domain/visit/visit-gap.ts';
import { findVisitStart } from '#domain/visit/visit-start.ts';
import { instantOfUuid } from '../new-uuid.ts';
import type { EventDraft, PutStep, StepPorts } from './event-draft.ts';

/**
 * Puts the visit: the one that the event names, else the visitor's open one, else a new one. What
 * is reported as a page is left opens none: it belongs to no visit when there is none.
 */
export const putVisit: PutStep = (draft, { recall, newId, openVisit }) => {
  const known = recall(draft.site.id, draft.visitorId);
  const named = findNamedVisit(draft);
  const isKnown = named !== undefined && known?.visitId === named.visitId;
  const visit = isKnown // Its start stands, even where the sender's clock has been set since.
    ? { visitId: named.visitId, visitStartedAt: known.visitStartedAt }
    : (named ??
      (known && findOpenVisit(known, draft.occurredAt)) ??
      newVisit(draft, newId, openVisit));
  if (visit === undefined) return;
  draft.visitId = visit.visitId;
  draft.visitStartedAt = visit.visitStartedAt;
  draft.extendsVisit = extendsVisit(draft, known);
};

type NamedVisit = { readonly visitId: string; readonly visitStartedAt: number };

/** Nothing too when the visit's start is far from the event. */
export function findNamedVisit(draft: EventDraft): NamedVisit | undefined {
  const { event, isCookieless } = draft;
  if (event.visit_id === undefined || isCookieless) return undefined;
  const visitId = event.visit_id.toLowerCase();
  const visitStartedAt = findVisitStart({
    mintedAt: instantOfUuid(visitId),
    sentAt: draft.sentAt,
    receivedAt: draft.receivedAt,
    occurredAt: draft.occurredAt,
  });
  return visitStartedAt === undefined ? undefined : { visitId, visitStartedAt };
}

function isAboutLeavingAPage({ event }: EventDraft): boolean {
  return event.type === 'engagement' || event.type === 'scroll';
}

/** Another request may have opened it a moment ago. */
function newVisit(
  draft: EventDraft,
  newId: (atMs: number) => string,
  openVisit: StepPorts['openVisit'],
): NamedVisit | undefined {
  if (isAboutLeavingAPage(draft)) return undefined;
  const { site, visitorId, occurredAt } = draft;
  const fresh = { visitId: newId(occurredAt), visitStartedAt: occurredAt };
  return openVisit(site.id, visitorId, occurredAt, fresh);
}

/**
 * Whether the visit goes on until this event.
 *
 * - Why not always: a page may be looked at again, and left again, long after its visit was over.
 */
function extendsVisit(draft: EventDraft, known: KnownVisitor | undefined): boolean {
  if (!isAboutLeavingAPage(draft)) return true;
  const lastEventAt = known?.visitId === draft.visitId ? known.lastEventAt : draft.visitStartedAt;
  const visibleSince = draft.occurredAt - (draft.event.engagement_ms ?? 0);
  return visibleSince - lastEventAt < VISIT_GAP_MS;
}
