import type { onRequestHookHandler } from 'fastify';
import { ExaminationAnswer, HealthAnswer } from '#contract/sites/health.ts';
import { findImprobablePerson } from '#domain/identity/improbable-person.ts';
import type { PersonKeys } from '#domain/identity/person.ts';
import { describeConverting } from '#domain/money/rates/describe-converting.ts';
import type { Site } from '#domain/site/site.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { toIsoOrNull } from '#domain/time/to-iso-or-null.ts';
import { type DropCount, type FindDrops, refusedHostsOf } from '#domain/visit/dropped-events.ts';
import type { ProxyWatch } from '#server/connections/proxy-watch.ts';
import type { Server } from '#server/server-type.ts';
import { addUserRoute, siteRoutes } from '../access/routes.ts';
import { type KnownUsers, requireOwner, type SiteAccess } from '../access/users.ts';

const QUIET_MS = DAY_MS;
const BEHIND_MAX_SECONDS = 60;

/** The times of a site's last events, in milliseconds. */
export type LastSeen = {
  readonly pageviewAt: number | undefined;
  readonly eventAt: number | undefined;
};
type Limits = readonly onRequestHookHandler[];
type HealthDeps = SiteAccess & {
  readonly limitReads: Limits;
  readonly drops: { readonly findDrops: FindDrops };
  readonly persons: { findLargePersons(siteId: string): Promise<readonly PersonKeys[]> };
  /** What is wrong with the connected payment providers of a site. */
  readonly findPaymentFault: (siteId: string) => Promise<string | undefined>;
  readonly findLastSeen: (siteId: string) => Promise<LastSeen>;
  readonly behindSeconds: () => number;
  readonly assertReady: () => Promise<void>;
  readonly proxies: Pick<ProxyWatch, 'list'>;
};

/** `GET /api/v1/sites/{id}/health`: whether a site's events arrive, and if not, why. */
export function addHealthOfSiteRoute(server: Server, deps: HealthDeps): void {
  siteRoutes(server, deps)('GET /health', 'viewer', {
    operation: ['siteHealth', 'Check whether a site’s events arrive'],
    answer: HealthAnswer,
    limits: deps.limitReads,
    async handle({ site }) {
      const { id, domain } = site;
      const now = Date.now();
      const found = await deps.drops.findDrops(id, { from: now - DAY_MS, to: now + DAY_MS });
      const whenSeen = deps.findLastSeen(id).catch(() => undefined); // The check `ready` reports that.
      const [ready, seen] = await Promise.all([isReady(deps), whenSeen]);
      const facts = {
        ready,
        behind_seconds: deps.behindSeconds(),
        pageview_at: toIsoOrNull(seen?.pageviewAt),
        event_at: toIsoOrNull(seen?.eventAt),
        dropped: countByReason(found.counts),
        refused_hosts: refusedHostsOf(found.samples, site.allowedHosts),
      };
      const shared = await findSharedId(deps, id);
      const persons = toCheck('persons', shared, 'No id joins too many visitors.');
      const hidden = findProxyFault(deps);
      const proxy = toCheck('proxy', hidden, 'No proxy hides the visitors’ addresses.');
      const missed = await deps.findPaymentFault(id);
      const payments = toCheck('payments', missed, 'No webhook has missed a payment.');
      const ofSite = [persons, proxy, payments, toConversion(site)];
      return { ...facts, checks: [...toChecks(facts, domain, now), ...ofSite] };
    },
  });
}

/** `GET /api/v1/doctor`: the findings of the command `doctor`, for the owner of the server. */
export function addDoctorRoute(
  server: Server,
  accounts: KnownUsers,
  limits: Limits,
  ask: () => Promise<unknown>,
): void {
  addUserRoute(server, 'GET /api/v1/doctor', requireOwner(accounts), {
    operation: ['examineServer', 'Check the server’s disk, databases and settings'],
    description: 'Runs the checks of `tributary doctor`, which takes a few seconds.',
    answer: ExaminationAnswer,
    limits,
    handle: async () => (await ask()) as ExaminationAnswer,
  });
}

async function isReady({ assertReady }: HealthDeps): Promise<boolean> {
  return assertReady().then(
    () => true,
    () => false,
  );
}

function countByReason(counts: readonly DropCount[]) {
  const totals = new Map<DropCount['reason'], number>();
  for (const { reason, count } of counts) totals.set(reason, (totals.get(reason) ?? 0) + count);
  return [...totals]
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((a, b) => b.count - a.count);
}

function toCheck(
  name: HealthAnswer['checks'][number]['name'],
  fault: string | undefined,
  good: string,
) {
  return { name, ok: fault === undefined, message: fault ?? good };
}

function toChecks(
  facts: Omit<HealthAnswer, 'checks'>,
  domain: string,
  now: number,
): HealthAnswer['checks'] {
  return [
    toCheck('ready', facts.ready ? undefined : UNREADY, 'The databases respond.'),
    toCheck('script', findScriptFault(facts, domain, now), 'Pageviews are arriving.'),
    toCheck('hosts', findHostFault(facts), 'No host was refused today.'),
    toCheck('behind', findDelay(facts), 'Events appear immediately.'),
  ];
}

const UNREADY = 'A database does not respond. `tributary doctor` says which, and how to fix it.';

function findScriptFault(
  { ready, pageview_at: at }: Pick<HealthAnswer, 'ready' | 'pageview_at'>,
  domain: string,
  now: number,
): string | undefined {
  if (at === null && !ready) return 'Unknown while a database is unavailable.';
  if (at === null) {
    return `No pageview of ${domain} arrived in the last 30 days. Add the tag to its pages, open one, and check whether a blocker or a content security policy stops the script.`;
  }
  if (now - Date.parse(at) <= QUIET_MS) return undefined;
  return `The last pageview of ${domain} arrived more than a day ago. Check that the tag is still in its pages.`;
}

function findHostFault({ refused_hosts: hosts }: Pick<HealthAnswer, 'refused_hosts'>) {
  if (hosts.length === 0) return undefined;
  return `Events from ${hosts.join(', ')} were refused. If a host is yours, allow it in the site’s settings.`;
}

function findDelay({ behind_seconds: seconds }: Pick<HealthAnswer, 'behind_seconds'>) {
  if (seconds <= BEHIND_MAX_SECONDS) return undefined;
  return `Events have been waiting for ${Math.round(seconds)} seconds. Nothing is lost: they will appear when the warehouse accepts them.`;
}

/** Not a fault: it ends by itself. */
function toConversion({ converting, currency }: Pick<Site, 'converting' | 'currency'>) {
  if (converting === undefined) return toCheck('conversion', undefined, `Money is in ${currency}.`);
  const far = describeConverting(converting);
  const message = `Payments are being converted to ${currency}: ${far} Until then, some amounts are old.`;
  return toCheck('conversion', undefined, message);
}

async function findSharedId({ persons }: HealthDeps, siteId: string): Promise<string | undefined> {
  const found = findImprobablePerson(await persons.findLargePersons(siteId));
  if (found === undefined) return undefined;
  return `${found.visitors} visitors are one person, "${found.name}". If your pages or backend send that id for everybody, stop sending it, and undo the joins with \`tributary visitor separate\`.`;
}

function findProxyFault({ proxies }: HealthDeps): string | undefined {
  const addresses = proxies.list().join(',');
  if (addresses === '') return undefined;
  return `Requests with X-Forwarded-For come from an address that is not trusted: ${addresses}. If it is your proxy, set TRUSTED_PROXIES=${addresses} and restart the server. Until then, all visitors share its address and location, and one person guessing passwords slows every sign-in.`;
}
