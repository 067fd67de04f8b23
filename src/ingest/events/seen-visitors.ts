import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { type SeenEvent, seeVisitor } from '#domain/visit/see-visitor.ts';
import type { VisitorDirectory } from '../ports.ts';

/** The visitors of one request: their state before it, updated by its events. */
export interface SeenVisitors {
  recall(siteId: string, visitorId: string): KnownVisitor | undefined;
  note(siteId: string, visitorId: string, event: SeenEvent): void;
  /** Writes them to the directory. Call it once the events are on disk. */
  remember(): void;
}

type SeenVisitor = {
  readonly siteId: string;
  readonly visitorId: string;
  readonly events: SeenEvent[];
  known: KnownVisitor | undefined;
};

/**
 * Creates an empty set of visitors for one request.
 *
 * - Why not write to the directory at once: it holds only what is on disk.
 * - Why `remember` replays single events: concurrent requests may have added events of the same visitor.
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
