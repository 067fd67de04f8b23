import { createRequire } from 'node:module';
import { isIPv4 } from 'node:net';
import { createBoundedCache } from './bounded-cache.ts';
import { isPublicAddress } from './is-public-address.ts';
import { openPlaceDatabase, type PlaceDatabase } from './places/open-place-database.ts';
import { NOWHERE, type Place } from './places/place.ts';

/** Locations by IP address. */
export interface Places {
  /** Returns {@link NOWHERE} for private and invalid addresses. */
  findPlace(address: string): Place;
}

/** Cached addresses. They repeat within a visit, and are kept in memory only, never in a file. */
const CACHE_SIZE = 5_000;

/**
 * Opens the location database at `path`, or else the packaged one.
 *
 * - Why the packaged files are opened lazily: many installations never see a public address of one of
 *   the two families.
 * - Throws if `path` is given but unreadable, with a message that names the setting.
 */
export function openPlaces(path?: string): Places {
  const own = path === undefined ? undefined : openOwn(path);
  const packaged = new Map<4 | 6, PlaceDatabase>();
  const places = createBoundedCache<Place>(CACHE_SIZE);

  const databaseOf = (address: string) =>
    own ?? packaged.getOrInsertComputed(isIPv4(address) ? 4 : 6, openPackaged);
  const look = (address: string) =>
    isPublicAddress(address) ? databaseOf(address).find(address) : NOWHERE;
  return { findPlace: (address) => places.recall(address, () => look(withoutMapping(address))) };
}

function openOwn(path: string): PlaceDatabase {
  try {
    return openPlaceDatabase(path);
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(`GEOIP_PATH (${path}) is not a readable location database: ${reason}.`);
  }
}

function openPackaged(family: 4 | 6): PlaceDatabase {
  return openPlaceDatabase(createRequire(import.meta.url).resolve(`#places/ipv${family}.mmdb`));
}

/** Unwraps an IPv4-mapped IPv6 address, as dual-stack sockets report it: `::ffff:192.0.2.1`. */
function withoutMapping(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? address;
}
