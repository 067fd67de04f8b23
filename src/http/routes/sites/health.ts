import Type, { type Static } from 'typebox';
import { readErrors } from '#contract/error.ts';
import { findImprobablePerson } from '#domain/identity/improbable-person.ts';
import { requireRole } from '../../requests/people.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { byPeople, requireOwner, SitePath, siteOfPath, toIso } from './site-request.ts';

const DAY_MS = 86_400_000;
const QUIET_MS = DAY_MS;
const BEHIND_MAX_SECONDS = 60;

const Instant = Type.Union([Type.String(), Type.Null()], {
  description: 'null if there was none in the last 30 days.',
});
const Check = Type.Object({
  name: Type.Enum(['ready', 'script', 'hosts', 'behind', 'persons', 'proxy']),
  ok: Type.Boolean(),
  message: Type.String({ description: 'The finding; if the check failed, also how to fix it.' }),
});
const Health = Type.Object(
  {
    ready: Type.Boolean({ description: 'Whether the stores respond and accept writes.' }),
    behind_seconds: Type.Number({ description: 'How long the oldest event has been waiting.' }),
    pageview_at: Instant,
    event_at: Instant,
    dropped: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }, {}), {
      description: 'Events dropped in the last 24 hours, by reason, most frequent first.',
    }),
    refused_hosts: Type.Array(Type.String(), {
      description: 'Hosts whose events were refused in the last 24 hours, as in `/api/v1/drops`.',
    }),
    checks: Type.Array(Check),
  },
  { description: 'The health of the site’s tracking.' },
);
type Health = Static<typeof Health>;

const Examination = Type.Object(
  {
    healthy: Type.Boolean(),
    findings: Type.Array(
      Type.Object({
        check: Type.String(),
        ok: Type.Boolean(),
        found: Type.String(),
        advice: Type.Optional(Type.String({ description: 'How to fix it, if the check failed.' })),
      }),
    ),
  },
  { description: 'The checks and their findings.' },
);

/** `GET /api/v1/sites/{id}/health`: whether a site's events arrive, and if not, why. */
export function addHealthOfSiteRoute(server: Server, deps: ReadDeps): void {
  server.route({
    method: 'GET',
    url: '/api/v1/sites/:id/health',
    onRequest: [requireRole(deps, 'viewer'), ...deps.limitReads],
    schema: byPeople('siteHealth', 'Check whether a site’s events arrive', {
      params: SitePath,
      response: { 200: Health, ...readErrors() },
    }),
    async handler({ params }): Promise<Health> {
      const { id, domain } = siteOfPath(deps, params);
      const now = Date.now();
      const found = await deps.drops.findDrops(id, { from: now - DAY_MS, to: now + DAY_MS });
      const refused = found.samples.filter(({ reason }) => reason === 'hostname_not_allowed');
      const whenSeen = deps.findLastSeen(id).catch(() => undefined); // The check `ready` reports that.
      const [ready, seen] = await Promise.all([isReady(deps), whenSeen]);
      const facts = {
        ready,
        behind_seconds: deps.behindSeconds(),
        pageview_at: toIso(seen?.pageviewAt),
        event_at: toIso(seen?.eventAt),
        dropped: countByReason(found.counts),
        refused_hosts: [...new Set(refused.map(({ host }) => host))].sort(),
      };
      const persons = toCheck(
        'persons',
        await findSharedId(deps, id),
        'No id joins too many visitors.',
      );
      const proxy = toCheck(
        'proxy',
        findProxyFault(deps),
        'No proxy hides the visitors’ addresses.',
      );
      return { ...facts, checks: [...toChecks(facts, domain, now), persons, proxy] };
    },
  });
}

/** `GET /api/v1/doctor`: the findings of the command `doctor`, for the owner of the server. */
export function addDoctorRoute(server: Server, deps: ReadDeps): void {
  server.route({
    method: 'GET',
    url: '/api/v1/doctor',
    onRequest: [requireOwner(deps), ...deps.limitReads],
    schema: byPeople('examineServer', 'Check the server’s disk, stores and settings', {
      description: 'Runs the checks of `tributary doctor`, which takes a few seconds.',
      response: { 200: Examination, ...readErrors() },
    }),
    handler: async () => (await deps.askDoctor()) as Static<typeof Examination>,
  });
}

async function isReady({ assertReady }: ReadDeps): Promise<boolean> {
  return assertReady().then(
    () => true,
    () => false,
  );
}

function countByReason(counts: readonly { readonly reason: string; readonly count: number }[]) {
  const totals = new Map<string, number>();
  for (const { reason, count } of counts) totals.set(reason, (totals.get(reason) ?? 0) + count);
  return [...totals]
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((a, b) => b.count - a.count);
}

function toCheck(name: Static<typeof Check>['name'], fault: string | undefined, good: string) {
  return { name, ok: fault === undefined, message: fault ?? good };
}

function toChecks(facts: Omit<Health, 'checks'>, domain: string, now: number): Health['checks'] {
  return [
    toCheck('ready', facts.ready ? undefined : UNREADY, 'The stores respond.'),
    toCheck('script', findScriptFault(facts, domain, now), 'Pageviews are arriving.'),
    toCheck('hosts', findHostFault(facts), 'No host was refused today.'),
    toCheck('behind', findDelay(facts), 'Events appear immediately.'),
  ];
}

const UNREADY = 'A store does not respond. `tributary doctor` says which, and how to fix it.';

function findScriptFault(
  { ready, pageview_at: at }: Pick<Health, 'ready' | 'pageview_at'>,
  domain: string,
  now: number,
): string | undefined {
  if (at === null && !ready) return 'Unknown while a store is unavailable.';
  if (at === null) {
    return `No pageview of ${domain} arrived in the last 30 days. Add the tag to its pages, open one, and check whether a blocker or a content security policy stops the script.`;
  }
  if (now - Date.parse(at) <= QUIET_MS) return undefined;
  return `The last pageview of ${domain} arrived more than a day ago. Check that the tag is still in its pages.`;
}

function findHostFault({ refused_hosts: hosts }: Pick<Health, 'refused_hosts'>) {
  if (hosts.length === 0) return undefined;
  return `Events from ${hosts.join(', ')} were refused. If a host is yours, allow it in the site’s settings.`;
}

function findDelay({ behind_seconds: seconds }: Pick<Health, 'behind_seconds'>) {
  if (seconds <= BEHIND_MAX_SECONDS) return undefined;
  return `Events have been waiting for ${Math.round(seconds)} seconds. Nothing is lost: they will appear when the warehouse accepts them.`;
}

async function findSharedId({ people }: ReadDeps, siteId: string): Promise<string | undefined> {
  const found = findImprobablePerson(await people.findLargePersons(siteId));
  if (found === undefined) return undefined;
  return `${found.visitors} visitors are one person, "${found.name}". If your pages or backend send that id for everybody, stop sending it, and undo the joins with \`tributary visitor separate\`.`;
}

function findProxyFault({ metrics }: ReadDeps): string | undefined {
  const addresses = metrics.proxies.list().join(',');
  if (addresses === '') return undefined;
  return `Requests with X-Forwarded-For come from an address that is not trusted: ${addresses}. If it is your proxy, all visitors have its address and place, and guesses at passwords slow down sign-ins, until you set TRUSTED_PROXIES=${addresses} and restart the server.`;
}
