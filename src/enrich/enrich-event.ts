import type { Acquisition, AcquisitionFacts, Referrer } from '#domain/acquisition/acquisition.ts';
import { findAcquisition } from '#domain/acquisition/find-acquisition.ts';
import { type BotVerdict, findBot } from './bots.ts';
import { createBoundedCache } from './bounded-cache.ts';
import { readFactTable, splitCell } from './fact-table.ts';
import { parseReferrer } from './parse-referrer.ts';
import { parseTags } from './parse-tags.ts';
import { loadSourceNames } from './source-names.ts';

/** Facts about a request that its texts alone do not say. */
export interface Enricher {
  findAcquisition(page: ReachedPage): Acquisition;
  findBot(userAgent: string | undefined): BotVerdict;
}

/** A page's address and referrer as the browser sent them; `siteHosts` are the site's own hosts. */
export type ReachedPage = {
  readonly url: string;
  readonly referrer: string;
  readonly siteHosts: readonly string[];
};

/** Few user agents and referrers make most of the traffic of a day. */
const REMEMBERED = 5_000;

/**
 * What enriches events, with the facts of `data/` loaded.
 *
 * - Why caches: a user agent costs a regular expression of some kilobytes, a host the public suffix
 *   list; both repeat. Their memory is bounded whatever is sent.
 * - Throws when a table of `data/` is missing or broken.
 */
export function createEnricher(): Enricher {
  const facts = loadAcquisitionFacts();
  const referrers = createBoundedCache<Referrer>(REMEMBERED);
  const verdicts = createBoundedCache<BotVerdict>(REMEMBERED);
  return {
    findAcquisition({ url, referrer, siteHosts }) {
      const arrival = {
        tags: parseTags(url),
        referrer: referrers.recall(referrer, parseReferrer),
        siteHosts,
      };
      return findAcquisition(arrival, facts);
    },
    findBot: (userAgent) => verdicts.recall(userAgent ?? '', findBot),
  };
}

function loadAcquisitionFacts(): AcquisitionFacts {
  const { nameHost, nameTag } = loadSourceNames();
  const namesByHost = createBoundedCache<string>(REMEMBERED);
  const namesByTag = createBoundedCache<string>(REMEMBERED);
  const clickIds = readFactTable('click-ids.csv', ['parameter', 'source', 'medium', 'kin']);
  const checkoutHosts = readFactTable('checkout-hosts.csv', ['host', 'provider']);
  return {
    names: {
      nameHost: (host) => namesByHost.recall(host, nameHost),
      nameTag: (tag) => namesByTag.recall(tag, nameTag),
    },
    clickIds: clickIds.map((row) => ({ ...row, kin: splitCell(row.kin, ';') })),
    checkoutHosts: checkoutHosts.map(({ host }) => host),
  };
}
