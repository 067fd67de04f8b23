import type { FastifyBaseLogger, FastifyRequest } from 'fastify';

/** Notices proxies that are not trusted: addresses that forward many visitors’ events, or somebody who signs in. */
export type ProxyWatch = ReturnType<typeof watchProxies>;

type Sent = Pick<FastifyRequest, 'ip' | 'headers'>;

const VISITORS_MIN = 50;
/** Anybody can send the header: the oldest addresses are forgotten. */
const ADDRESSES_MAX = 1_000;

/** Creates a watch. It keeps addresses in memory only. */
export function watchProxies(log: Pick<FastifyBaseLogger, 'warn'>) {
  const visitorsByAddress = new Map<string, Set<string>>();
  const found = new Set<string>();

  function find(ip: string): void {
    if (found.has(ip) || found.size === ADDRESSES_MAX) return;
    found.add(ip);
    log.warn(UNTRUSTED);
  }

  return {
    note(sent: Sent & Pick<FastifyRequest, 'apiKey'>, visitorId: string | undefined): void {
      const { apiKey, ip } = sent;
      if (visitorId === undefined || apiKey !== null || !forwards(sent) || found.has(ip)) return;
      const visitors = visitorsByAddress.getOrInsertComputed(ip, () => new Set());
      const [oldest = ''] = visitorsByAddress.keys();
      if (visitorsByAddress.size > ADDRESSES_MAX) visitorsByAddress.delete(oldest);
      visitors.add(visitorId);
      if (visitors.size === VISITORS_MIN) find(ip);
    },
    noteSignIn(sent: Sent): void {
      if (forwards(sent)) find(sent.ip);
    },
    list: () => [...found].map((ip) => ip.replace(/^::ffff:/, '')),
  };
}

function forwards({ ip, headers: { 'x-forwarded-for': said } }: Sent): boolean {
  const isTrusted = String(said).split(',', 1)[0]?.trim() === ip; // It has told this address.
  return said !== undefined && !isTrusted;
}

const UNTRUSTED =
  'A proxy is not in TRUSTED_PROXIES: all its visitors have its address. Health names it.';
