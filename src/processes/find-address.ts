import { lookup } from 'node:dns/promises';
import type { Settings } from '#settings.ts';
import { toListenError } from './start-troubles.ts';

/**
 * Resolves the address to listen on. Prefers IPv4, as for `localhost`.
 *
 * - Throws with one line that names the setting if the name cannot be resolved.
 * - Why not listen on the name: each further address would get a server of its own, without our limits.
 */
export async function findAddress(settings: Settings): Promise<string> {
  try {
    return (await lookup(settings.host, { order: 'ipv4first' })).address;
  } catch (error) {
    throw toListenError(error, settings);
  }
}
