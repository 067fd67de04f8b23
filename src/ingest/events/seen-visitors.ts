import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { type SeenEvent, seeVisitor } from '#domain/visit/see-visitor.ts';
import type { VisitorDirectory } from '../ports.ts';

/** The visitors of one request: what was known of them, and what its own events add. */
export interface SeenVisitors {
  recall(siteId: string, visitorId: string): KnownVisitor | undefined;
  note(siteId: string, visitorId: string, event: SeenEvent): void;
  /** Adds them to the directory, once the events are on disk. */
  remember(): void;
}

type SeenVisitor = {
  readonly siteId: string;
  readonly visitorId: string;
  readonly events: SeenEvent[];
  known: KnownVisitor | undefined;
};

/**
 * The visitors of one request, none yet.
 *
 * - Why not straight into the directory: it knows only what is on disk. Why event by event:
 *   other requests may have added events of the same visitor meanwhile.
 */
export function createSeenVisitors(directory: VisitorDirectory): SeenVisitors {
  const seenByName = new Map<string, SeenVisitor>();
  const nameOf = (siteId: string, visitorId: string) => `${siteId} ${visitorId}`;

  return {
    recall: (siteId, visitorId) =>
      seenByName.get(nameOf(siteId, visitorId))?.known ?? directory.recall(siteId, visitorId),
    note(siteId, visitorId, event) {
      const seen = seenByName.getOrInsertComputed(nameOf(siteId, visitorId), () => {
        return { siteId, visitorId, events: [], known: directory.recall(siteId, visitorId) };
      });
      seen.events.push(event);
      seen.known = seeVisitor(seen.known, event);
    },
    remember() {
      for (const { siteId, visitorId, events } of seenByName.values()) {
        const before = directory.recall(siteId, visitorId);
        const known = events.reduce<KnownVisitor | undefined>(seeVisitor, before);
        if (known !== undefined) directory.remember(siteId, visitorId, known);
      }
    },
  };
}
