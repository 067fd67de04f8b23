import type { Acquisition, AcquisitionFacts, Referrer } from '#domain/acquisition/acquisition.ts';
import { findAcquisition } from '#domain/acquisition/find-acquisition.ts';
import { type BotVerdict, findBot } from './bots.ts';
import { createBoundedCache } from './bounded-cache.ts';
import { type Browsing, findBrowsing } from './browsers.ts';
import type { ClientHeaders } from './client-headers.ts';
import { type DataCentres, readDataCentres } from './data-centres.ts';
import { readFactTable, splitCell } from './fact-table.ts';
import { openPlaces, type Places } from './open-places.ts';
import { parseReferrer } from './parse-referrer.ts';
import { cutQuery, parseTags } from './parse-tags.ts';
import { loadSourceNames } from './source-names.ts';

/** Derives facts from a request: acquisition, client, location, data centre. */
export interface Enricher extends Places {
  findAcquisition(page: ReachedPage): Acquisition;
  findClient(headers: ClientHeaders): Client;
  isInDataCentre(address: string): boolean;
}

/** The client that sent a request. */
export type Client = Browsing & { readonly bot: BotVerdict };

/** A page's URL and referrer as sent by the browser, and the site's own hosts. */
type ReachedPage = {
  readonly url: string;
  readonly referrer: string;
  readonly siteHosts: readonly string[];
};

type EnricherFiles = {
  readonly geoipPath?: string | undefined;
  readonly dataCentreRanges?: string | undefined;
};

/** A few user agents and referrers make up most of a day's traffic. */
const CACHE_SIZE = 5_000;

/**
 * Creates an enricher and loads the tables of `data/`.
 *
 * - Why caches: a user agent costs several kilobytes of regular expressions, and a host costs a lookup
 *   in the public suffix list. Both repeat. The caches are bounded, whatever is sent.
 * - Throws if a table of `data/` or a configured file is missing or malformed.
 */
export function createEnricher(files: EnricherFiles = {}): Enricher {
  const facts = loadAcquisitionFacts();
  const referrers = createBoundedCache<Referrer>(CACHE_SIZE);
  const acquisitions = createBoundedCache<Acquisition>(CACHE_SIZE);
  const clients = createBoundedCache<Client>(CACHE_SIZE);
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

/** Client hints can also reveal a headless browser. */
function toClient({ userAgent, hints }: ClientHeaders): Client {
  const isHeadless = hints?.brands.includes('Headless') === true;
  const bot = findBot(isHeadless ? `${userAgent ?? ''} HeadlessChrome` : userAgent);
  return { ...findBrowsing(userAgent?.trim() ?? '', hints), bot };
}

function loadAcquisitionFacts(): AcquisitionFacts {
  const { nameHost, nameTag, kindOf } = loadSourceNames();
  const namesByHost = createBoundedCache<string>(CACHE_SIZE);
  const namesByTag = createBoundedCache<string>(CACHE_SIZE);
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
