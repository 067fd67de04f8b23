import type { DroppedEvent } from '#contract/event.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import type { DropReason } from '#domain/visit/dropped-events.ts';
import type { HashVisitor } from '#enrich/cookieless/hash-visitor.ts';
import type { Enricher } from '#enrich/enrich-event.ts';
import type { NewId } from '../new-uuid.ts';
import type { OwnVisitsLinks } from '../own-visits.ts';
import type {
  EventJournal,
  IngestLedger,
  OpenVisit,
  RecordedEvents,
  SiteDirectory,
  VisitorDirectory,
} from '../ports.ts';
import { takeTurns } from '../take-turns.ts';
import { dropUnsignedClaim, proofOf } from './claims.ts';
import {
  ADDRESS_FAULT,
  dropBadAddress,
  dropExcluded,
  dropForeignHost,
  dropForeignSite,
  dropImpossibleTime,
  dropMissingVisitor,
  dropOwnVisits,
} from './drop-steps.ts';
import {
  type DropStep,
  type EventDraft,
  newDraft,
  type PutStep,
  type Sender,
  type StepPorts,
} from './event-draft.ts';
import { findSentAt } from './find-sent-at.ts';
import { createInFlightRequests } from './in-flight-requests.ts';
import { parseEvent } from './parse-event.ts';
import { putClient } from './put-client.ts';
import { putAcquisition, putAddress, putPlace, putSite, putTime, putVisitor } from './put-facts.ts';
import { findNamedVisit, putVisit } from './put-visit.ts';
import { createRecordEvents, findRepetitions, type Repetition } from './record-events.ts';
import { createSeenVisitors } from './seen-visitors.ts';
import { toRow } from './to-row.ts';

/** The steps of each event, in order. The first drop ends them. */
const STEPS: readonly (PutStep | DropStep | typeof dropOwnVisits)[] = [
  putSite,
  dropForeignSite,
  putVisitor,
  dropMissingVisitor,
  dropUnsignedClaim,
  putAddress,
  dropBadAddress,
  dropForeignHost,
  dropOwnVisits,
  putTime,
  dropImpossibleTime,
  putClient,
  putPlace,
  dropExcluded,
  putAcquisition,
];

type EventsReport = { readonly events: readonly unknown[]; readonly sender: Sender };

type AcceptedEvents = {
  readonly accepted: number;
  readonly dropped: readonly DroppedEvent[];
  /** The visitor of the last accepted event. */
  readonly visitor?: AcceptedVisitor;
};

/** The visitor of an accepted event, and the event with the URL of its page. */
export type AcceptedVisitor = Readonly<
  Pick<EventDraft, 'visitorId' | 'isCookieless' | 'address' | 'event'>
>;

/** Accepts the events of one request. Throws UnavailableError if nothing could be written. */
export type AcceptEvents = (report: EventsReport) => Promise<AcceptedEvents>;

/** Counts drops by the site that the event names. The site id is empty for an unknown site. */
export interface DropCounter {
  countDrop(siteId: string, reason: DropReason, sent: unknown): void;
}

type AcceptEventsPorts = {
  readonly journal: EventJournal;
  readonly ledger: Pick<IngestLedger, 'acceptEvents'>;
  readonly recorded: RecordedEvents;
  readonly directory: VisitorDirectory;
  readonly sites: SiteDirectory;
  readonly enricher: Enricher;
  readonly drops: DropCounter;
  readonly now: () => number;
  readonly newId: NewId;
  readonly hashVisitor: HashVisitor;
  readonly openVisit: OpenVisit;
  readonly ownVisits: OwnVisitsLinks;
};

/**
 * The use case that accepts events. Resolves once all events that are not dropped are on disk.
 *
 * A bad event never affects its neighbours.
 */
export function createAcceptEvents(ports: AcceptEventsPorts): AcceptEvents {
  const { directory, sites, drops, now, newId } = ports;
  const recordEvents = createRecordEvents(ports);
  const inFlight = createInFlightRequests();
  const startedAt = now();

  /** Runs the steps. Returns the drafts that pass, and the verdicts on dropped events. */
  async function toDrafts({ events, sender }: EventsReport, stepPorts: StepPorts) {
    const turns = takeTurns();
    const receivedAt = now();
    const sentAt = findSentAt(events, sender);
    const drafts: EventDraft[] = [];
    const dropped: DroppedEvent[] = [];
    for (const [index, sent] of events.entries()) {
      if (turns.isOver()) await turns.others();
      const parsed = parseEvent(sent, sender.trustedSiteId !== undefined);
      if (!parsed.ok) {
        dropped.push({ index, reason: 'invalid_event', details: parsed.error });
        drops.countDrop(findNamedSiteId(sent, sites), 'invalid_event', sent);
        continue;
      }
      const event = parsed.value;
      const draft = newDraft({ index, event, sender, receivedAt, sentAt: event.sent_at ?? sentAt });
      const reason = runSteps(draft, stepPorts);
      if (reason === undefined) {
        drafts.push(draft);
      } else {
        const details = reason === 'invalid_event' && { details: [ADDRESS_FAULT] };
        dropped.push({ index, reason, ...details });
        drops.countDrop(findNamedSiteId(sent, sites), reason, sent);
      }
    }
    return { drafts, dropped };
  }

  /** Records the drafts. Resolves with the verdicts on identity conflicts. */
  async function record(
    drafts: readonly EventDraft[],
    repetitions: readonly Repetition[],
    toEventRow: (draft: EventDraft) => EventRow,
  ): Promise<DroppedEvent[]> {
    const turns = takeTurns();
    const wanted = [];
    for (const [index, draft] of drafts.entries()) {
      if (turns.isOver()) await turns.others();
      const repetition = repetitions[index] ?? 'never';
      wanted.push({ draft, row: toEventRow(draft), proof: proofOf(draft), repetition });
    }
    const conflicts = await recordEvents(wanted);
    if (conflicts.size === 0) return [];
    return wanted
      .filter(({ row }) => conflicts.has(row))
      .map(({ draft: { index, site, event } }) => {
        drops.countDrop(site.id, 'identity_conflict', event);
        return { index, reason: 'identity_conflict' };
      });
  }

  return async (report) => {
    const seen = createSeenVisitors(directory);
    const stepPorts = { ...ports, recall: seen.recall };
    if (namesUnknown(report, sites)) await sites.refresh();
    const { drafts, dropped } = await toDrafts(report, stepPorts);
    const repetitions = findRepetitions(drafts);
    // A replay waits for in-flight requests that may hold its first attempt. Nothing waits for a replay.
    const isReplay = repetitions.includes('replay');
    if (isReplay) await inFlight.ended();
    const end = isReplay ? undefined : inFlight.begin();
    try {
      await findVisitors(drafts, directory, startedAt);
      const conflicts = await record(drafts, repetitions, (draft) => {
        putVisit(draft, stepPorts);
        if (draft.extendsVisit) seen.note(draft);
        return toRow(draft, newId);
      });
      dropped.push(...conflicts);
    } finally {
      end?.();
    }
    seen.remember();
    const last = drafts.at(-1);
    return {
      accepted: report.events.length - dropped.length,
      dropped: dropped.toSorted((a, b) => a.index - b.index),
      ...(last && { visitor: last }),
    };
  };
}

/** Whether an event names a site that is not known yet. */
function namesUnknown({ events }: EventsReport, sites: SiteDirectory): boolean {
  return events.some((sent) => {
    const { site } = (sent ?? {}) as { readonly site?: unknown };
    return typeof site === 'string' && sites.findSite(site) === undefined;
  });
}

/** The site that an event names, even if the event is invalid. */
function findNamedSiteId(sent: unknown, sites: SiteDirectory): string {
  const { site } = (sent ?? {}) as { readonly site?: unknown };
  return (typeof site === 'string' ? sites.findSite(site)?.id : undefined) ?? '';
}

function runSteps(draft: EventDraft, ports: StepPorts): DropReason | undefined {
  for (const step of STEPS) {
    const reason = step(draft, ports);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/**
 * Loads the visitors of events into memory, all in parallel: without a visit, or with one that began before this process
 * did, whose class only the warehouse knows.
 *
 * - Why an unavailable warehouse is ignored: the event then begins a new visit instead of being lost.
 */
async function findVisitors(
  drafts: readonly EventDraft[],
  directory: VisitorDirectory,
  startedAt: number,
): Promise<void> {
  const unknown = drafts.filter(
    (draft) =>
      directory.recall(draft.site.id, draft.visitorId) === undefined &&
      (findNamedVisit(draft)?.visitStartedAt ?? 0) < startedAt,
  );
  if (unknown.length === 0) return;
  try {
    await Promise.all(
      unknown.map((draft) => directory.find(draft.site.id, draft.visitorId, 'once')),
    );
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
}
