import Type, { type Static } from 'typebox';
import { readErrors } from '#contract/error.ts';
import { requireRole } from '../../requests/people.ts';
import type { LastSeen, ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { byPeople, SitePath, siteOfPath } from './site-request.ts';

const DAY_MS = 86_400_000;
const QUIET_MS = DAY_MS;
const BEHIND_MAX_SECONDS = 60;

const Instant = Type.Union([Type.String(), Type.Null()], {
  description: 'null when there was none within 30 days.',
});
const Check = Type.Object({
  name: Type.Enum(['ready', 'script', 'hosts', 'behind']),
  ok: Type.Boolean(),
  message: Type.String({ description: 'What is wrong, and what to do; or that all is well.' }),
});
const Health = Type.Object(
  {
    ready: Type.Boolean({ description: 'Whether the stores answer and take what is sent.' }),
    behind_seconds: Type.Number({ description: 'For how long the oldest event waits.' }),
    pageview_at: Instant,
    event_at: Instant,
    dropped: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }, {}), {
      description: 'Events of the last 24 hours that were not recorded, the most first.',
    }),
    refused_hosts: Type.Array(Type.String(), {
      description:
        'Hosts whose events were refused in the last 24 hours, as `/api/v1/drops` shows.',
    }),
    checks: Type.Array(Check),
  },
  { description: 'How the site is measured just now.' },
);
type Health = Static<typeof Health>;

/** `GET /api/v1/sites/{id}/health`: whether a site is measured, and what keeps it from being. */
export function addHealthOfSiteRoute(server: Server, deps: ReadDeps): void {
  server.route({
    method: 'GET',
    url: '/api/v1/sites/:id/health',
    onRequest: [requireRole(deps, 'viewer'), ...deps.limitReads],
    schema: byPeople('siteHealth', 'Whether a site is measured, and what keeps it from being', {
      params: SitePath,
      response: { 200: Health, ...readErrors() },
    }),
    async handler({ params }): Promise<Health> {
      const { id, domain } = siteOfPath(deps, params);
      const now = Date.now();
      const found = deps.drops.findDrops(id, { from: now - DAY_MS, to: now + DAY_MS });
      const refused = found.samples.filter(({ reason }) => reason === 'hostname_not_allowed');
      const [ready, seen] = await Promise.all([isReady(deps), findSeen(deps, id)]);
      const facts = {
        ready,
        behind_seconds: deps.behindSeconds(),
        pageview_at: toIso(seen?.pageviewAt),
        event_at: toIso(seen?.eventAt),
        dropped: countByReason(found.counts),
        refused_hosts: [...new Set(refused.map(({ host }) => host))].sort(),
      };
      return { ...facts, checks: toChecks(facts, domain, now) };
    },
  });
}

async function isReady({ assertReady }: ReadDeps): Promise<boolean> {
  return assertReady().then(
    () => true,
    () => false,
  );
}

/** Nothing while the warehouse is away: the check of readiness says so. */
function findSeen({ findLastSeen }: ReadDeps, siteId: string): Promise<LastSeen | undefined> {
  return findLastSeen(siteId).catch(() => undefined);
}

function countByReason(counts: readonly { readonly reason: string; readonly count: number }[]) {
  const totals = new Map<string, number>();
  for (const { reason, count } of counts) totals.set(reason, (totals.get(reason) ?? 0) + count);
  return [...totals]
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((a, b) => b.count - a.count);
}

function toChecks(facts: Omit<Health, 'checks'>, domain: string, now: number): Health['checks'] {
  return [
    checkReady(facts),
    checkScript(facts, domain, now),
    checkHosts(facts),
    checkBehind(facts),
  ];
}

function checkReady({ ready }: Pick<Health, 'ready'>) {
  return ready
    ? { name: 'ready' as const, ok: true, message: 'The stores answer.' }
    : {
        name: 'ready' as const,
        ok: false,
        message: 'A store does not answer. `tributary doctor` says which, and what to do.',
      };
}

function checkScript(
  { ready, pageview_at: at }: Pick<Health, 'ready' | 'pageview_at'>,
  domain: string,
  now: number,
) {
  const name = 'script' as const;
  if (at === null && !ready)
    return { name, ok: false, message: 'It is not known while a store is away.' };
  if (at === null) {
    const message = `No pageview of ${domain} has come in 30 days. Put the tag into its pages, open one, and look whether a blocker or a content security policy keeps the script out.`;
    return { name, ok: false, message };
  }
  if (now - Date.parse(at) > QUIET_MS) {
    const message = `The last pageview of ${domain} came more than a day ago. Look whether the tag is still in its pages.`;
    return { name, ok: false, message };
  }
  return { name, ok: true, message: 'Pageviews come in.' };
}

function checkHosts({ refused_hosts: hosts }: Pick<Health, 'refused_hosts'>) {
  const name = 'hosts' as const;
  if (hosts.length === 0) return { name, ok: true, message: 'No host was refused today.' };
  const message = `Events of ${hosts.join(', ')} were refused. Where a host is yours, allow it in the settings of the site.`;
  return { name, ok: false, message };
}

function checkBehind({ behind_seconds: seconds }: Pick<Health, 'behind_seconds'>) {
  const name = 'behind' as const;
  if (seconds <= BEHIND_MAX_SECONDS) return { name, ok: true, message: 'Events appear at once.' };
  const message = `Events have waited for ${Math.round(seconds)} seconds. Nothing is lost; they appear when the warehouse takes them.`;
  return { name, ok: false, message };
}

function toIso(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
