import type { FastifyInstance, FastifyRequest, preValidationHookHandler } from 'fastify';
import type { Fault } from '#contract/fault.ts';
import type { SiteDirectory } from '#ingest/ports.ts';
import { RefusedRequest, refuseFaults } from '../answers/errors.ts';
import { type ApiKey, keyOf } from './authenticate.ts';

/**
 * The parameters behind the `?` of an address: texts, each given once, under known names.
 *
 * - Refuses other names, repeated ones, and a `site_id` that is not the key's site.
 */
export function readParams<Name extends string>(
  request: FastifyRequest,
  sites: SiteDirectory,
  names: readonly Name[],
): { readonly [Each in Name]?: string } {
  const { site_id: named, ...sent } = request.query as Readonly<Record<string, unknown>>;
  const faults: Fault[] = [];
  if (typeof named === 'string') assertOwnSite(sites, named, keyOf(request));
  else if (named !== undefined) faults.push(once('site_id'));
  for (const [name, value] of Object.entries(sent)) {
    if (!names.some((known) => known === name)) faults.push(unknown(name, names));
    else if (typeof value !== 'string') faults.push(once(name));
  }
  if (faults.length > 0) throw refuseFaults(faults);
  return sent as { readonly [Each in Name]?: string };
}

/** Throws unless it is the key's. What is not there answers as another's: keys cannot find out which exist. */
export function assertOwnSite(sites: SiteDirectory, named: string, key: ApiKey): void {
  if (sites.findSite(named)?.id !== key.siteId) throw ofAnotherSite();
}

/**
 * Refuses a key, on every route added after it, whose request names another site.
 *
 * Why behind the hooks that read the body and before its form is checked: a key learns nothing of others.
 */
export function refuseOtherSites(server: FastifyInstance, sites: SiteDirectory): void {
  const refuse: preValidationHookHandler = (request, _reply, done) => {
    for (const sent of [request.query, request.body]) assertNamesOwn(sites, sent, request.apiKey);
    done();
  };
  server.addHook('onRoute', (route) => {
    route.preValidation = [route.preValidation ?? [], refuse].flat();
  });
}

/** Throws when a body, or what is behind an address, has the `site_id` of a site that is not the key's. */
export function assertNamesOwn(sites: SiteDirectory, sent: unknown, key: ApiKey | null): void {
  const { site_id: named } = (sent ?? {}) as { readonly site_id?: unknown };
  if (key !== null && typeof named === 'string') assertOwnSite(sites, named, key);
}

/** What a key is refused that asks about a site that is not its own. */
export function ofAnotherSite(): RefusedRequest {
  return new RefusedRequest('forbidden', 'The key belongs to another site.');
}

/** A whole number within 1 and `max`, if one is given; otherwise a fault is added. */
export function readWhole(name: string, text: unknown, max: number, faults: Fault[]) {
  if (text === undefined) return undefined;
  const value = typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  faults.push({ path: `/${name}`, message: `must be a whole number from 1 to ${max}` });
  return undefined;
}

function once(name: string): Fault {
  return { path: `/${name}`, message: 'must be given once' };
}

function unknown(name: string, names: readonly string[]): Fault {
  const message = `is not known; these are: ${['site_id', ...names].join(', ')}`;
  return { path: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, message };
}
