import { toOurClock } from '#domain/visit/visit-start.ts';
import { instantOfUuid } from '../new-uuid.ts';
import type { EventDraft, PutStep } from './event-draft.ts';

/** Puts the site that the event names by id or domain; none where it is unknown. */
export const putSite: PutStep = (draft, { sites }) => {
  draft.site = sites.findSite(draft.event.site) ?? draft.site;
};

/**
 * Puts who the visitor is: as the event says, or, where the site is cookieless, as address and user
 * agent make them recognisable for a day. What such an event says is ignored.
 */
export const putVisitor: PutStep = (draft, { hashVisitor }) => {
  const { event, sender, site } = draft;
  draft.isCookieless = isCookieless(draft);
  draft.visitorId = draft.isCookieless
    ? hashVisitor(
        { siteId: site.id, address: sender.address ?? '', userAgent: sender.userAgent ?? '' },
        draft.receivedAt,
      )
    : (event.service_visitor_id ?? '');
};

/** A server with a key knows its visitors itself. */
function isCookieless({ site, sender }: EventDraft): boolean {
  const { cookieless } = site.settings ?? {};
  if (cookieless === undefined || sender.trustedSiteId !== undefined) return false;
  return cookieless === 'always' || sender.isPrivate === true;
}

/** Puts the page's address in its parts. */
export const putAddress: PutStep = (draft) => {
  const { url } = draft.event;
  if (url !== undefined) draft.address = URL.parse(url) ?? undefined;
};

/**
 * Puts when it happened: now, unless a sender with a key says otherwise, or it is sent again: then
 * when its id was made, by our clock.
 */
export const putTime: PutStep = (draft) => {
  const { event, sender, receivedAt, sentAt } = draft;
  if (sender.trustedSiteId !== undefined) {
    draft.occurredAt = Math.trunc(event.occurred_at ?? receivedAt);
  } else if (event.retry === true && event.event_id !== undefined) {
    const madeAt = toOurClock(instantOfUuid(event.event_id), { sentAt, receivedAt });
    draft.occurredAt = Math.min(madeAt, receivedAt);
  }
};

/** Puts the place of the visitor's address. The address itself goes no further. */
export const putPlace: PutStep = (draft, { enricher }) => {
  const address = findAddress(draft);
  if (address !== undefined) draft.place = enricher.findPlace(address);
};

/** The visitor's address: a server's own is none. */
export function findAddress({ event, sender }: EventDraft): string | undefined {
  return sender.trustedSiteId === undefined ? sender.address : event.ip;
}

/** Puts where the visitor came from. Only a pageview is an arrival. */
export const putAcquisition: PutStep = (draft, { enricher }) => {
  const { event, site } = draft;
  if (event.type !== 'pageview' || event.url === undefined) return;
  draft.acquisition = enricher.findAcquisition({
    url: event.url,
    referrer: event.referrer ?? '',
    siteHosts: [site.domain, ...site.allowedHosts],
  });
};
