import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { ApiKey } from './authenticate.ts';

/** Notices proxies that are not trusted: addresses that forward the events of many visitors. */
export interface ProxyWatch {
  /** Notes the visitor of a browser's event. */
  note(event: SentEvent, visitorId: string | undefined): void;
  /** Such addresses, first found first. */
  list(): readonly string[];
}

/** The parts of a request that say whether somebody forwarded it. */
type SentEvent = {
  readonly apiKey: ApiKey | null;
  readonly ip: string;
  readonly headers: IncomingHttpHeaders;
};

const VISITORS_MIN = 50;
const LISTED_MAX = 5;
/** Anybody can send the header: the oldest addresses are forgotten. */
const ADDRESSES_MAX = 1_000;

/** Creates a watch. It keeps addresses in memory only. */
export function watchProxies(log: Pick<FastifyBaseLogger, 'warn'>): ProxyWatch {
  const visitorsByAddress = new Map<string, Set<string>>();
  const found = new Set<string>();
  return {
    note({ apiKey, ip: address, headers }, visitorId) {
      const said = headers['x-forwarded-for'];
      if (said === undefined || visitorId === undefined || apiKey !== null) return;
      // What a trusted proxy forwards begins with the address that counts.
      if (String(said).split(',', 1)[0]?.trim() === address) return;
      if (found.has(address) || found.size === LISTED_MAX) return;
      const visitors = visitorsByAddress.getOrInsertComputed(address, () => new Set());
      visitors.add(visitorId);
      const [oldest] = visitorsByAddress.keys();
      if (visitorsByAddress.size > ADDRESSES_MAX) visitorsByAddress.delete(oldest ?? '');
      if (visitors.size < VISITORS_MIN) return;
      visitorsByAddress.delete(address);
      found.add(address);
      log.warn(
        'A proxy is not in TRUSTED_PROXIES: its visitors all have its address. Health names it.',
      );
    },
    list: () => [...found].map((address) => address.replace(/^::ffff:/, '')),
  };
}
