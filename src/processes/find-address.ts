import { lookup } from 'node:dns/promises';
import type { Settings } from '#settings.ts';
import { toListenError } from './start-troubles.ts';

/**
 * The one address to listen on: of `localhost`, which has two, that of IPv4.
 *
 * - Throws with one line that names the setting when nobody knows the name.
 * - Why not the name: each further address would have a server of its own, without our limits.
 */
export async function findAddress(settings: Settings): Promise<string> {
  try {
    return (await lookup(settings.host, { order: 'ipv4first' })).address;
  } catch (error) {
    throw toListenError(error, settings);
  }
}
