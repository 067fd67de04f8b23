import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { type SeenEvent, seeVisitor } from '#domain/visit/see-visitor.ts';
import type { VisitorDirectory } from '../ports.ts';

/** The visitors of one request: what was known of them, and what its own events add. */
export interface Sightings {
  recall(siteId: string, visitorId: string): KnownVisitor | undefined;
  note(siteId: string, visitorId: string, event: SeenEvent): void;
  /** Tells the directory, once the events are on disk. */
  remember(): void;
}

type Sighting = {
  readonly siteId: string;
  readonly visitorId: string;
  readonly events: SeenEvent[];
  known: KnownVisitor;
};

/**
 * Sightings of one request, none yet.
 *
 * - Why not straight into the directory: it knows only what is on disk. Why told event by event:
 *   other requests may have told it of the same visitor meanwhile.
 */
export function createSightings(directory: VisitorDirectory): Sightings {
  const sightingsByVisitor = new Map<string, Sighting[]>();
  const find = (siteId: string, visitorId: string) =>
    sightingsByVisitor.get(visitorId)?.find((sighting) => sighting.siteId === siteId);

  function add(sighting: Sighting): void {
    const ofOtherSites = sightingsByVisitor.get(sighting.visitorId);
    if (ofOtherSites === undefined) sightingsByVisitor.set(sighting.visitorId, [sighting]);
    else ofOtherSites.push(sighting);
  }

  return {
    recall: (siteId, visitorId) =>
      find(siteId, visitorId)?.known ?? directory.recall(siteId, visitorId),
    note(siteId, visitorId, event) {
      const sighting = find(siteId, visitorId);
      if (sighting === undefined) {
        const known = seeVisitor(directory.recall(siteId, visitorId), event);
        add({ siteId, visitorId, events: [event], known });
      } else {
        sighting.events.push(event);
        sighting.known = seeVisitor(sighting.known, event);
      }
    },
    remember() {
      for (const { siteId, visitorId, events } of [...sightingsByVisitor.values()].flat()) {
        const before = directory.recall(siteId, visitorId);
        const known = events.reduce<KnownVisitor | undefined>(seeVisitor, before);
        if (known !== undefined) directory.remember(siteId, visitorId, known);
      }
    },
  };
}
