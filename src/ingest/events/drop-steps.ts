import { BlockList } from 'node:net';
import type { Fault } from '#contract/fault.ts';
import { isHostAmong } from '#domain/acquisition/is-host-among.ts';
import { type Exclusions, sortExclusions } from '#domain/site/exclusions.ts';
import { isPathAmong } from '#domain/site/mask-path.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { addRange, isAmong } from '#enrich/data-centres.ts';
import type { DropStep, EventDraft, StepPorts } from './event-draft.ts';
import { addressOf } from './put-facts.ts';

const EARLIEST_MS = Date.UTC(2000);
/** Maximum age of a retried event without a key. */
const RETRY_MAX_MS = 7 * DAY_MS;

/** Drops events of unknown sites, and of other sites than the key's. */
export const dropForeignSite: DropStep = ({ site, sender: { trustedSiteId } }) => {
  if (trustedSiteId !== undefined && site.id !== trustedSiteId) return 'site_of_another_key';
  return site.id === '' ? 'unknown_site' : undefined;
};

/** Drops events without a visitor. */
export const dropMissingVisitor: DropStep = ({ visitorId }) =>
  visitorId === '' ? 'visitor_missing' : undefined;

/** The fault of an invalid page URL. */
export const ADDRESS_FAULT: Fault = {
  path: '/url',
  message: 'must be the URL of a page, such as https://example.com/pricing',
};

/** Drops events with an invalid page URL. */
export const dropBadAddress: DropStep = ({ event, address }) =>
  event.url !== undefined && address === undefined ? 'invalid_event' : undefined;

/**
 * Drops events unless their page is on the site's domain, a subdomain or an allowed host, over HTTP(S).
 * A copied script therefore cannot distort another site's figures.
 */
export const dropForeignHost: DropStep = ({ address, site }) => {
  if (address === undefined) return undefined;
  const { hostname, protocol } = address;
  const isOfWeb = protocol === 'https:' || protocol === 'http:';
  const isOwn = isHostAmong(hostname, [site.domain]) || site.allowedHosts.includes(hostname);
  return isOfWeb && isOwn ? undefined : 'hostname_not_allowed';
};

/** Drops events of a browser that its user leaves out of the figures. */
export const dropOwnVisits = (
  { visitorId, address, site }: EventDraft,
  { ownVisits }: Pick<StepPorts, 'ownVisits'>,
) => (ownVisits.isLeftOut(visitorId, address, site.id) ? 'excluded' : undefined);

/** Drops events with an implausible time, and retries that come too late. */
export const dropImpossibleTime: DropStep = ({ sender, occurredAt, receivedAt }) => {
  const earliest = sender.trustedSiteId === undefined ? receivedAt - RETRY_MAX_MS : EARLIEST_MS;
  const isPossible = occurredAt >= earliest && occurredAt <= receivedAt + DAY_MS;
  return isPossible ? undefined : 'occurred_at_out_of_range';
};

/** Drops events that the site's settings exclude: by address, country, path or host. */
export const dropExcluded: DropStep = (draft) => {
  const { site, place, address: page } = draft;
  const list = site.settings?.exclude;
  if (list === undefined) return undefined;
  const { ranges, countries, paths, hosts } = finders.getOrInsertComputed(list, toFinder);
  const address = addressOf(draft);
  const isExcluded =
    (address !== undefined && isAmong(ranges, address)) ||
    countries.includes(place.country) ||
    (page !== undefined && (hosts.includes(page.hostname) || isPathAmong(page.pathname, paths)));
  return isExcluded ? 'excluded' : undefined;
};

type Finder = Omit<Exclusions, 'addresses'> & { readonly ranges: BlockList };

const finders = new WeakMap<readonly string[], Finder>();

function toFinder(list: readonly string[]): Finder {
  const { addresses, ...others } = sortExclusions(list);
  const ranges = new BlockList();
  for (const each of addresses) addRange(ranges, each);
  return { ...others, ranges };
}
