import { countsWithoutCookie } from '#domain/site/counts-without-cookie.ts';
import { toOurClock } from '#domain/visit/visit-start.ts';
import { instantOfUuid } from '../new-uuid.ts';
import type { EventDraft, PutStep } from './event-draft.ts';

/** Sets the site that the event names by id or domain, if it is known. */
export const putSite: PutStep = (draft, { sites }) => {
  draft.site = sites.findSite(draft.event.site) ?? draft.site;
};

/**
 * Sets the visitor id: the event's own, or on a cookieless site a hash of IP address and user agent
 * that is valid for one day. A cookieless site ignores ids in events.
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

/** A server with a key always identifies its visitors itself. */
function isCookieless({ site, sender }: EventDraft): boolean {
  if (site.settings === undefined || sender.trustedSiteId !== undefined) return false;
  return countsWithoutCookie(site.settings, sender.isPrivate === true);
}

/** Sets the parsed page URL. */
export const putAddress: PutStep = (draft) => {
  const { url } = draft.event;
  if (url !== undefined) draft.address = URL.parse(url) ?? undefined;
};

/**
 * Sets the event's time: now by default. A sender with a key may state another time. A retry happened
 * when its id was created, converted to our clock.
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

/** Sets the location of the visitor's IP address. The address itself is not stored. */
export const putPlace: PutStep = (draft, { enricher }) => {
  const address = addressOf(draft);
  if (address !== undefined) draft.place = enricher.findPlace(address);
};

/** The visitor's IP address. A server's own address is never used. */
export function addressOf({ event, sender }: EventDraft): string | undefined {
  return sender.trustedSiteId === undefined ? sender.address : event.ip;
}

/** Sets the acquisition. Only pageviews have one. */
export const putAcquisition: PutStep = (draft, { enricher }) => {
  const { event, site } = draft;
  if (event.type !== 'pageview' || event.url === undefined) return;
  draft.acquisition = enricher.findAcquisition({
    url: event.url,
    referrer: event.referrer ?? '',
    siteHosts: [site.domain, ...site.allowedHosts],
  });
};
