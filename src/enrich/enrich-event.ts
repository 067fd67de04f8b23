import type { Acquisition, AcquisitionFacts, Referrer } from '#domain/acquisition/acquisition.ts';
import { findAcquisition } from '#domain/acquisition/find-acquisition.ts';
import { type BotVerdict, findBot } from './bots.ts';
import { createBoundedCache } from './bounded-cache.ts';
import { type Browsing, findBrowsing } from './browsers.ts';
import type { ClientHeaders } from './client-headers.ts';
import { type DataCentres, readDataCentres } from './data-centres.ts';
import { readFactTable, splitCell } from './fact-table.ts';
import { parseReferrer } from './parse-referrer.ts';
import { cutQuery, parseTags } from './parse-tags.ts';
import { openPlaces, type Places } from './places/open-places.ts';
import { loadSourceNames } from './source-names.ts';

/** Facts about a request that its texts alone do not say. */
export interface Enricher extends Places {
  findAcquisition(page: ReachedPage): Acquisition;
  findClient(headers: ClientHeaders): Client;
  isInDataCentre(address: string): boolean;
}

/** The program that a request comes from. */
export type Client = Browsing & { readonly bot: BotVerdict };

/** A page's address and referrer as the browser sent them; `siteHosts` are the site's own hosts. */
export type ReachedPage = {
  readonly url: string;
  readonly referrer: string;
  readonly siteHosts: readonly string[];
};

/** Files of the operator's own; what is left out comes with the packages, or is none. */
export type EnricherFiles = {
  readonly geoipPath?: string | undefined;
  readonly dataCentreRanges?: string | undefined;
};

/** Few user agents and referrers make most of the traffic of a day. */
const REMEMBERED = 5_000;

/**
 * What enriches events, with the facts of `data/` loaded.
 *
 * - Why caches: a user agent costs regular expressions of some kilobytes, a host the public suffix
 *   list; both repeat. Their memory is bounded whatever is sent.
 * - Throws when a table of `data/` is missing or broken, or a file of the operator's is.
 */
export function createEnricher(files: EnricherFiles = {}): Enricher {
  const facts = loadAcquisitionFacts();
  const referrers = createBoundedCache<Referrer>(REMEMBERED);
  const acquisitions = createBoundedCache<Acquisition>(REMEMBERED);
  const clients = createBoundedCache<Client>(REMEMBERED);
  const dataCentres: DataCentres = readDataCentres(files.dataCentreRanges);
  const { findPlace } = openPlaces(files.geoipPath);
  return {
    findPlace,
    isInDataCentre: (address) => dataCentres.ranges > 0 && dataCentres.has(address),
    findAcquisition({ url, referrer, siteHosts }) {
      const query = cutQuery(url);
      return acquisitions.recall(`${siteHosts.join(' ')}\n${query}\n${referrer}`, () => {
        const parsed = referrers.recall(referrer, parseReferrer);
        return findAcquisition({ tags: parseTags(query), referrer: parsed, siteHosts }, facts);
      });
    },
    findClient: (headers) => clients.recall(toKey(headers), () => toClient(headers)),
  };
}

function toKey({ userAgent = '', hints }: ClientHeaders): string {
  if (hints === undefined) return userAgent;
  return `${userAgent}\n${hints.brands}\n${hints.mobile}\n${hints.platform}\n${hints.platformVersion}`;
}

/** A hint may name a driven browser, as well as the user agent. */
function toClient({ userAgent, hints }: ClientHeaders): Client {
  const isHeadless = hints?.brands.includes('Headless') === true;
  const bot = findBot(isHeadless ? `${userAgent ?? ''} HeadlessChrome` : userAgent);
  return { ...findBrowsing(userAgent?.trim() ?? '', hints), bot };
}

function loadAcquisitionFacts(): AcquisitionFacts {
  const { nameHost, nameTag, kindOf } = loadSourceNames();
  const namesByHost = createBoundedCache<string>(REMEMBERED);
  const namesByTag = createBoundedCache<string>(REMEMBERED);
  const clickIds = readFactTable('click-ids.csv', ['parameter', 'source', 'medium', 'kin']);
  const checkoutHosts = readFactTable('checkout-hosts.csv', ['host', 'provider']);
  return {
    names: {
      nameHost: (host) => namesByHost.recall(host, nameHost),
      nameTag: (tag) => namesByTag.recall(tag, nameTag),
      kindOf,
    },
    clickIds: clickIds.map((row) => ({ ...row, kin: splitCell(row.kin, ';') })),
    checkoutHosts: checkoutHosts.map(({ host }) => host),
    signInPages: readFactTable('sign-in-hosts.csv', ['host', 'path', 'provider']),
    adFrames: readFactTable('ad-frames.csv', ['host', 'source', 'medium']),
  };
}
