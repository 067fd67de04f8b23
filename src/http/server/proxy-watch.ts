import type { FastifyBaseLogger, FastifyRequest } from 'fastify';

/** Notices proxies that are not trusted: addresses that forward the events of many visitors. */
export type ProxyWatch = ReturnType<typeof watchProxies>;

type SentEvent = Pick<FastifyRequest, 'apiKey' | 'ip' | 'headers'>;

const VISITORS_MIN = 50;
/** Anybody can send the header: the oldest addresses are forgotten. */
const ADDRESSES_MAX = 1_000;

/** Creates a watch. It keeps addresses in memory only. */
export function watchProxies(log: Pick<FastifyBaseLogger, 'warn'>) {
  const visitorsByAddress = new Map<string, Set<string>>();
  return {
    note({ apiKey, ip, headers }: SentEvent, visitorId: string | undefined): void {
      const said = headers['x-forwarded-for'];
      if (said === undefined || visitorId === undefined || apiKey !== null) return;
      if (String(said).split(',', 1)[0]?.trim() === ip) return; // A trusted proxy forwarded it.
      const visitors = visitorsByAddress.getOrInsertComputed(ip, () => new Set());
      const [oldest = ''] = visitorsByAddress.keys();
      if (visitorsByAddress.size > ADDRESSES_MAX) visitorsByAddress.delete(oldest);
      if (visitors.size === VISITORS_MIN) return;
      visitors.add(visitorId);
      if (visitors.size === VISITORS_MIN) log.warn(UNTRUSTED);
    },
    list(): string[] {
      const found = [...visitorsByAddress].filter(([, { size }]) => size === VISITORS_MIN);
      return found.map(([ip]) => ip.replace(/^::ffff:/, ''));
    },
  };
}

const UNTRUSTED =
  'A proxy is not in TRUSTED_PROXIES: all its visitors have its address. Health names it.';
