import type { EventRequest } from '#contract/event.ts';
import type { Acquisition } from '#domain/acquisition/acquisition.ts';
import type { DropReason } from '#domain/visit/dropped-events.ts';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import type { ClientHeaders } from '#enrich/client-headers.ts';
import type { HashVisitor } from '#enrich/cookieless/hash-visitor.ts';
import type { Client, Enricher } from '#enrich/enrich-event.ts';
import { NOWHERE, type Place } from '#enrich/places/place.ts';
import type { NewId } from '../new-uuid.ts';
import type { OwnVisitsLinks } from '../own-visits.ts';
import type { IngestSite, OpenVisit, SiteDirectory } from '../ports.ts';

/** The sender of a request with events. */
export type Sender = ClientHeaders & {
  /** IP address. Used to find the location and bots, never stored. */
  readonly address?: string;
  /** `Accept-Language`, as sent. */
  readonly language?: string | undefined;
  /** Whether the browser sends Global Privacy Control (`Sec-GPC`). */
  readonly isPrivate?: boolean;
  /** The site of a key with `events:write`. Only such a sender may report on behalf of visitors. */
  readonly trustedSiteId: string | undefined;
};

/** An event on its way to a row. Each step may read what earlier steps set. */
export type EventDraft = {
  /** Position in the request. */
  readonly index: number;
  readonly event: EventRequest;
  readonly sender: Sender;
  readonly receivedAt: number;
  /** The sender's clock at the time of sending, if known. */
  readonly sentAt: number | undefined;
  site: IngestSite;
  visitorId: string;
  /** Whether the visitor id is valid for one day only. */
  isCookieless: boolean;
  /** URL of the page; undefined if a server left it out. */
  address: URL | undefined;
  occurredAt: number;
  /** Undefined if a server did not send the visitor's user agent. */
  client: Client | undefined;
  place: Place;
  botClass: string;
  botReason: string;
  acquisition: Acquisition | undefined;
  /** Empty if the event belongs to no visit. */
  visitId: string;
  visitStartedAt: number;
  extendsVisit: boolean;
};

/** The ports that steps may use. */
export type StepPorts = {
  readonly sites: SiteDirectory;
  readonly enricher: Enricher;
  readonly newId: NewId;
  readonly hashVisitor: HashVisitor;
  /** The visitor's state, including this request's earlier events. */
  recall(siteId: string, visitorId: string): KnownVisitor | undefined;
  readonly openVisit: OpenVisit;
  readonly ownVisits: OwnVisitsLinks;
};

/** Sets fields of a draft. Never drops the event. */
export type PutStep = (draft: EventDraft, ports: StepPorts) => undefined;

/** Returns the reason to drop the event, if any. Sets nothing. */
export type DropStep = (draft: EventDraft) => DropReason | undefined;

const NO_SITE: IngestSite = { id: '', domain: '', timezone: 'UTC', currency: '', allowedHosts: [] };

/** A draft before any step. */
export function newDraft(
  sent: Pick<EventDraft, 'index' | 'event' | 'sender' | 'receivedAt' | 'sentAt'>,
): EventDraft {
  return {
    ...sent,
    site: NO_SITE,
    visitorId: '',
    isCookieless: false,
    address: undefined,
    occurredAt: sent.receivedAt,
    client: undefined,
    place: NOWHERE,
    botClass: '',
    botReason: '',
    acquisition: undefined,
    visitId: '',
    visitStartedAt: 0,
    extendsVisit: false,
  };
}
