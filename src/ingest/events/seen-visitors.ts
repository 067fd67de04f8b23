import type { KnownVisitor, VisitClass } from '#domain/visit/known-visitor.ts';
import { type SeenEvent, seeVisitor } from '#domain/visit/see-visitor.ts';
import type { VisitorDirectory } from '../ports.ts';
import type { EventDraft } from './event-draft.ts';

type SeenVisitor = {
  readonly siteId: string;
  readonly visitorId: string;
  readonly events: SeenEvent[];
  known: KnownVisitor | undefined;
};

/**
 * Creates an empty set of the visitors of one request: their state before it, updated by its events.
 *
 * - Why a list: nearly every request is of one visitor, and none of more than its few hundred events.
 * - Why not write to the directory at once: it holds only what is on disk.
 * - Why `remember` replays single events: concurrent requests may have added events of the same visitor.
 */
export function createSeenVisitors(directory: VisitorDirectory) {
  const visitors: SeenVisitor[] = [];
  const find = (siteId: string, visitorId: string) =>
    visitors.find((seen) => seen.visitorId === visitorId && seen.siteId === siteId);

  return {
    recall: (siteId: string, visitorId: string) =>
      find(siteId, visitorId)?.known ?? directory.recall(siteId, visitorId),
    note(draft: EventDraft): void {
      const [siteId, visitorId] = [draft.site.id, draft.visitorId];
      const event = toSeenEvent(draft);
      let seen = find(siteId, visitorId);
      if (seen === undefined) {
        seen = { siteId, visitorId, events: [], known: directory.recall(siteId, visitorId) };
        visitors.push(seen);
      }
      seen.events.push(event);
      seen.known = seeVisitor(seen.known, event);
    },
    /** Writes them to the directory. Call it once the events are on disk. */
    remember(): void {
      for (const { siteId, visitorId, events } of visitors) {
        const before = directory.recall(siteId, visitorId);
        const known = events.reduce<KnownVisitor | undefined>(seeVisitor, before);
        if (known !== undefined) directory.remember(siteId, visitorId, known);
      }
    },
  };
}

const OF_PEOPLE: VisitClass = { botClass: '', botReason: '' };

function toSeenEvent(draft: EventDraft): SeenEvent {
  const { botClass, botReason } = draft;
  return {
    isPageview: draft.event.type === 'pageview',
    botClass,
    visitClass: botClass === '' ? OF_PEOPLE : { botClass, botReason },
    visitId: draft.visitId,
    visitStartedAt: draft.visitStartedAt,
    occurredAt: draft.occurredAt,
  };
}
