import type { KnownVisitor } from './known-visitor.ts';

/** What an event says about its visitor. */
export type SeenEvent = {
  readonly isPageview: boolean;
  readonly botClass: string;
  readonly visitId: string;
  readonly visitStartedAt: number;
  readonly occurredAt: number;
};

/**
 * What is known of a visitor after one more event.
 *
 * The first event decides whether it is a bot, or the first pageview when others came before. Sending
 * another visitor's id with a crawler's name changes neither. An event older than the latest one (an
 * import) does not change which visit is open.
 */
export function seeVisitor(known: KnownVisitor | undefined, event: SeenEvent): KnownVisitor {
  const isLatest = known === undefined || event.occurredAt >= known.lastEventAt;
  return {
    botClass: isDecided(known, event) ? known.botClass : event.botClass,
    hasPageview: known?.hasPageview === true || event.isPageview,
    visitId: isLatest ? event.visitId : known.visitId,
    visitStartedAt: isLatest ? event.visitStartedAt : known.visitStartedAt,
    lastEventAt: isLatest ? event.occurredAt : known.lastEventAt,
  };
}

function isDecided(known: KnownVisitor | undefined, event: SeenEvent): known is KnownVisitor {
  return known !== undefined && (known.hasPageview || !event.isPageview);
}
