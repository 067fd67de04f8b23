import type { DropReason, EventRequest } from '#contract/event.ts';
import type { Acquisition } from '#domain/acquisition/acquisition.ts';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import type { BotVerdict } from '#enrich/bots.ts';
import type { ClientHeaders } from '#enrich/client-headers.ts';
import type { Client, Enricher } from '#enrich/enrich-event.ts';
import { NOWHERE, type Place } from '#enrich/places/place.ts';
import type { HashVisitor } from '../hash-visitor.ts';
import type { NewId } from '../new-uuid.ts';
import type { OpenVisit, Site, SiteDirectory } from '../ports.ts';

/** Who sent a request with events. */
export type Sender = ClientHeaders & {
  /** Serves place and bots, and is dropped. */
  readonly address?: string;
  /** What the browser prefers: `Accept-Language`, as it was sent. */
  readonly language?: string | undefined;
  /** Whether the browser asks for privacy: `Sec-GPC`. */
  readonly isPrivate?: boolean;
  /** The site of a key with `events:write`: only such a sender is believed about others. */
  readonly trustedSiteId: string | undefined;
};

/** An event on its way to a row: each step reads what earlier ones put. */
export type EventDraft = {
  /** Position in the request. */
  readonly index: number;
  readonly event: EventRequest;
  readonly sender: Sender;
  readonly receivedAt: number;
  /** The sender's clock as it sent, where it is known. */
  readonly sentAt: number | undefined;
  site: Site;
  visitorId: string;
  /** Whether the visitor is known for a day only. */
  isCookieless: boolean;
  /** Where it happened; nothing where a server left the address out. */
  address: URL | undefined;
  occurredAt: number;
  /** Nothing where a server does not say what the visitor browses with. */
  client: Client | undefined;
  place: Place;
  botClass: BotVerdict['botClass'];
  botReason: string;
  acquisition: Acquisition | undefined;
  /** Empty where the event belongs to no visit. */
  visitId: string;
  visitStartedAt: number;
  extendsVisit: boolean;
};

/** What the steps may ask of the world. */
export type StepPorts = {
  readonly sites: SiteDirectory;
  readonly enricher: Enricher;
  readonly newId: NewId;
  readonly hashVisitor: HashVisitor;
  /** Who the visitor is, this request's earlier events included. */
  recall(siteId: string, visitorId: string): KnownVisitor | undefined;
  readonly openVisit: OpenVisit;
};

/** Adds something to a draft; never drops the event. */
export type PutStep = (draft: EventDraft, ports: StepPorts) => undefined;

/** Says why the event is dropped, if it is; adds nothing. */
export type DropStep = (draft: EventDraft) => DropReason | undefined;

const NO_SITE: Site = { id: '', domain: '', timezone: 'UTC', currency: '', allowedHosts: [] };

/** A draft with nothing put yet. */
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
