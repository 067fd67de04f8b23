import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { findOpenVisit, VISIT_GAP_MS } from '#domain/visit/visit-gap.ts';
import { findVisitStart } from '#domain/visit/visit-start.ts';
import { instantOfUuid } from '../new-uuid.ts';
import type { EventDraft, PutStep, StepPorts } from './event-draft.ts';

/**
 * Sets the visit: the one named by the event, else the visitor's open visit, else a new one. Events
 * sent as a page is left never open a visit. Without an open visit, they belong to none.
 *
 * - The first event of a visit says whether the visit is a bot's. Otherwise its visit would be missing
 *   where its later pageviews count.
 */
export const putVisit: PutStep = (draft, { recall, newId, openVisit }) => {
  const known = recall(draft.site.id, draft.visitorId);
  const named = findNamedVisit(draft);
  const isKnown = named !== undefined && known?.visitId === named.visitId;
  const visit = isKnown // Keep its start, even if the sender's clock was changed since.
    ? { visitId: named.visitId, visitStartedAt: known.visitStartedAt }
    : (named ??
      (known && findOpenVisit(known, draft.occurredAt)) ??
      newVisit(draft, newId, openVisit));
  if (visit === undefined) return;
  draft.visitId = visit.visitId;
  draft.visitStartedAt = visit.visitStartedAt;
  draft.extendsVisit = extendsVisit(draft, known);
  if (known?.visitId === visit.visitId) Object.assign(draft, known.visitClass);
};

type NamedVisit = { readonly visitId: string; readonly visitStartedAt: number };

/** The visit that an event names; undefined if the visit's start is implausibly far from the event. */
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

function isPageLeaveEvent({ event }: EventDraft): boolean {
  return event.type === 'engagement' || event.type === 'scroll';
}

/** A new visit, or the one that a concurrent request has just opened. */
function newVisit(
  draft: EventDraft,
  newId: (atMs: number) => string,
  openVisit: StepPorts['openVisit'],
): NamedVisit | undefined {
  if (isPageLeaveEvent(draft)) return undefined;
  const { site, visitorId, occurredAt } = draft;
  const fresh = { visitId: newId(occurredAt), visitStartedAt: occurredAt };
  return openVisit(site.id, visitorId, occurredAt, fresh);
}

/**
 * Whether the event prolongs its visit.
 *
 * - Why not always: a visitor may return to an open tab and leave it again long after the visit ended.
 */
function extendsVisit(draft: EventDraft, known: KnownVisitor | undefined): boolean {
  if (!isPageLeaveEvent(draft)) return true;
  const lastEventAt = known?.visitId === draft.visitId ? known.lastEventAt : draft.visitStartedAt;
  const visibleSince = draft.occurredAt - (draft.event.engagement_ms ?? 0);
  return visibleSince - lastEventAt < VISIT_GAP_MS;
}
