import type { FastifyInstance, FastifyRequest, preValidationHookHandler } from 'fastify';
import type { Fault } from '#contract/fault.ts';
import { RefusedRequest, refuseFaults } from '../errors/errors.ts';
import { type Credential, keyOf } from './authenticate.ts';

/** Finds a site by its id, its domain, or the path of its script. */
export type FindsSites = { findSite(named: string): { readonly id: string } | undefined };

/**
 * Reads the query string parameters.
 *
 * - Refuses unknown names, repeated and empty ones, and a `site_id` other than the key's site.
 */
export function readParams<Name extends string>(
  request: FastifyRequest,
  sites: FindsSites,
  names: readonly Name[],
): { readonly [Each in Name]?: string } {
  const { site_id: named, ...sent } = request.query as Readonly<Record<string, unknown>>;
  const faults: Fault[] = [];
  if (typeof named === 'string') assertOwnSite(sites, named, keyOf(request));
  else if (named !== undefined) faults.push(once('site_id'));
  for (const [name, value] of Object.entries(sent)) {
    if (!names.some((known) => known === name)) faults.push(unknown(name, names));
    else if (typeof value !== 'string') faults.push(once(name));
    else if (value === '') faults.push({ path: `/${name}`, message: 'must not be empty' });
  }
  if (faults.length > 0) throw refuseFaults(faults);
  return sent as { readonly [Each in Name]?: string };
}

/** Throws unless the site is the key's. Unknown sites get the same answer, to not reveal which exist. */
export function assertOwnSite(sites: FindsSites, named: string, key: Credential): void {
  if (sites.findSite(named)?.id !== key.siteId) throw ofAnotherSite();
}

/**
 * Refuses requests that name another site than their key's, on every route added after it.
 *
 * Why after the body is read and before it is validated: errors must not reveal other sites.
 */
export function refuseOtherSites(server: FastifyInstance, sites: FindsSites): void {
  const refuse: preValidationHookHandler = (request, _reply, done) => {
    for (const sent of [request.query, request.body]) assertNamesOwn(sites, sent, request.apiKey);
    done();
  };
  server.addHook('onRoute', (route) => {
    route.preValidation = [route.preValidation ?? [], refuse].flat();
  });
}

/** Throws if a body or query string has a `site_id` other than the key's. An empty one counts as absent. */
export function assertNamesOwn(sites: FindsSites, sent: unknown, key: Credential | null): void {
  const { site_id: named } = (sent ?? {}) as { readonly site_id?: unknown };
  if (key === null || typeof named !== 'string' || named === '') return;
  assertOwnSite(sites, named, key);
}

/** The refusal for a key that names another site. */
export function ofAnotherSite(): RefusedRequest {
  return new RefusedRequest('forbidden', 'The key belongs to another site.');
}

/** Reads `from` and `to`, if given. Adds faults if one of them is missing, or `other` is given as well. */
export function readEnds<Other extends string>(
  sent: { readonly [Name in 'from' | 'to' | Other]?: string | undefined },
  other: Other,
  faults: Fault[],
): [string, string] | undefined {
  const { from, to } = sent;
  if (from === undefined && to === undefined) return undefined;
  if (sent[other] !== undefined) {
    faults.push({ path: `/${other}`, message: 'must not come with from and to' });
  }
  if (from !== undefined && to !== undefined) return [from, to];
  const missing = from === undefined ? 'from' : 'to';
  faults.push({ path: `/${missing}`, message: 'is required if from or to is given' });
  return undefined;
}

/** Reads a whole number from 1 to `max`, if given. Adds a fault if it is invalid. */
export function readWhole(name: string, text: unknown, max: number, faults: Fault[]) {
  if (text === undefined) return undefined;
  const value = typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  faults.push({ path: `/${name}`, message: `must be a whole number from 1 to ${max}` });
  return undefined;
}

/** Reads one of some choices, if given. Adds a fault if it is none of them. */
export function readChoice<Choice extends string>(
  name: string,
  text: string | undefined,
  choices: readonly Choice[],
  faults: Fault[],
): Choice | undefined {
  const chosen = choices.find((each) => each === text);
  if (text !== undefined && chosen === undefined) {
    faults.push({ path: `/${name}`, message: `must be one of ${choices.join(', ')}` });
  }
  return chosen;
}

function once(name: string): Fault {
  return { path: `/${name}`, message: 'must be given once' };
}

function unknown(name: string, names: readonly string[]): Fault {
  const message = `is unknown; allowed are ${['site_id', ...names].join(', ')}`;
  return { path: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, message };
}
