import type { KnownVisitor, VisitClass } from './known-visitor.ts';

/** The facts of an event that update its visitor. */
export type SeenEvent = {
  readonly isPageview: boolean;
  readonly botClass: string;
  readonly visitId: string;
  readonly visitStartedAt: number;
  readonly occurredAt: number;
  readonly visitClass?: VisitClass;
};

/**
 * Updates a visitor's state with one more event.
 *
 * The first pageview decides whether the visitor is a bot; before it, the first event does. A crawler
 * that later sends this visitor's id therefore changes nothing. An event older than the latest one
 * (an import) does not change the open visit.
 */
export function seeVisitor(known: KnownVisitor | undefined, event: SeenEvent): KnownVisitor {
  const isLatest = known === undefined || event.occurredAt >= known.lastEventAt;
  const { visitClass } = isLatest ? event : known;
  return {
    botClass: isDecided(known, event) ? known.botClass : event.botClass,
    hasPageview: known?.hasPageview === true || event.isPageview,
    visitId: isLatest ? event.visitId : known.visitId,
    visitStartedAt: isLatest ? event.visitStartedAt : known.visitStartedAt,
    lastEventAt: isLatest ? event.occurredAt : known.lastEventAt,
    ...(visitClass && { visitClass }),
  };
}

function isDecided(known: KnownVisitor | undefined, event: SeenEvent): known is KnownVisitor {
  return known !== undefined && (known.hasPageview || !event.isPageview);
}
