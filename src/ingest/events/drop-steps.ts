import type { Fault } from '#contract/fault.ts';
import { isHostAmong } from '#domain/acquisition/is-host-among.ts';
import type { DropStep } from './event-draft.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const EARLIEST_MS = Date.UTC(2000);
/** How old an event may be that somebody without a key sends again. */
const RETRY_MAX_MS = 7 * DAY_MS;

/** Drops events of unknown sites. A key speaks for its own site only. */
export const dropForeignSite: DropStep = ({ site, sender: { trustedSiteId } }) => {
  if (trustedSiteId !== undefined && site.id !== trustedSiteId) return 'site_of_another_key';
  return site.id === '' ? 'unknown_site' : undefined;
};

/** Drops events of nobody. */
export const dropMissingVisitor: DropStep = ({ visitorId }) =>
  visitorId === '' ? 'visitor_missing' : undefined;

/** What is wrong with an address that is none. */
export const ADDRESS_FAULT: Fault = {
  path: '/url',
  message: 'must be the address of a page, such as https://example.com/pricing',
};

/** Drops what has no address where one is given. */
export const dropBadAddress: DropStep = ({ event, address }) =>
  event.url !== undefined && address === undefined ? 'invalid_event' : undefined;

/**
 * Drops what happened elsewhere than on the web, and there on the site's domain, a subdomain, or a host
 * that the site allows: a copied script does not write into another site's figures.
 */
export const dropForeignHost: DropStep = ({ address, site }) => {
  if (address === undefined) return undefined;
  const { hostname, protocol } = address;
  const isOfWeb = protocol === 'https:' || protocol === 'http:';
  const isOwn = isHostAmong(hostname, [site.domain]) || site.allowedHosts.includes(hostname);
  return isOfWeb && isOwn ? undefined : 'hostname_not_allowed';
};

/** Drops what cannot have happened when it says, and what is sent again too late. */
export const dropImpossibleTime: DropStep = ({ sender, occurredAt, receivedAt }) => {
  const earliest = sender.trustedSiteId === undefined ? receivedAt - RETRY_MAX_MS : EARLIEST_MS;
  const isPossible = occurredAt >= earliest && occurredAt <= receivedAt + DAY_MS;
  return isPossible ? undefined : 'occurred_at_out_of_range';
};
