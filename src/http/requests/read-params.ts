import type { FastifyRequest } from 'fastify';
import type { Fault } from '#contract/fault.ts';
import type { SiteDirectory } from '#ingest/ports.ts';
import { RefusedRequest, refuseFaults } from '../answers/errors.ts';
import { keyOf } from './authenticate.ts';

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
  // A site that is not there answers as another's does: keys cannot find out which exist.
  if (named !== undefined && typeof named !== 'string') faults.push(once('site_id'));
  else if (named !== undefined && sites.findSite(named)?.id !== keyOf(request).siteId) {
    throw new RefusedRequest('forbidden', 'The key belongs to another site.');
  }
  for (const [name, value] of Object.entries(sent)) {
    if (!names.some((known) => known === name)) faults.push(unknown(name, names));
    else if (typeof value !== 'string') faults.push(once(name));
  }
  if (faults.length > 0) throw refuseFaults(faults);
  return sent as { readonly [Each in Name]?: string };
}

function once(name: string): Fault {
  return { path: `/${name}`, message: 'must be given once' };
}

function unknown(name: string, names: readonly string[]): Fault {
  const message = `is not known; these are: ${['site_id', ...names].join(', ')}`;
  return { path: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, message };
}
