import type { EventDraft, Step } from './event-draft.ts';

/**
 * Puts who the visitor is: whom the event names, or, where the site is cookieless, whom the address
 * and the user agent make recognisable for a day. What such an event names is left aside.
 */
export const putVisitor: Step = (draft, { hashVisitor }) => {
  const { event, sender, site } = draft;
  if (isCookieless(draft)) {
    draft.isCookieless = true;
    draft.visitorId = hashVisitor(
      { siteId: site.id, address: sender.address ?? '', userAgent: sender.userAgent ?? '' },
      draft.receivedAt,
    );
    return undefined;
  }
  if (event.service_visitor_id === undefined) return 'visitor_missing';
  draft.visitorId = event.service_visitor_id;
  return undefined;
};

/** A server with a key knows its visitors itself. */
function isCookieless({ site, sender }: EventDraft): boolean {
  const { cookieless } = site.settings ?? {};
  if (cookieless === undefined || sender.trustedSiteId !== undefined) return false;
  return cookieless === 'always' || sender.isPrivate === true;
}
