import { Reader } from 'maxmind';
import { openFileBytes } from './open-file-bytes.ts';
import { NOWHERE, type Place } from './place.ts';

/** A database of locations by IP address. */
export interface PlaceDatabase {
  /** Returns {@link NOWHERE} for an unknown address. */
  find(address: string): Place;
  close(): void;
}

/** The marker before the metadata at the end of every `.mmdb` file, and where to look for it. */
const MARK = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const MARK_WITHIN_BYTES = 131_072;

/**
 * Opens a file in MaxMind's format (`.mmdb`).
 *
 * - Throws with a message that says what is wrong with the file.
 */
export function openPlaceDatabase(path: string): PlaceDatabase {
  const file = openFileBytes(path);
  try {
    const { length } = file.bytes;
    const end = file.bytes.subarray(Math.max(0, length - MARK_WITHIN_BYTES), length);
    if (!end.includes(MARK)) throw new Error('the file is not in MaxMind’s format (.mmdb)');
    const reader = new Reader<Record<string, never>>(file.bytes);
    return { find: (address) => toPlace(reader.get(address)), close: file.close };
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * Reads the location from a record: flat (`country_code`, `state1`, `city`), or nested with localized
 * names, as in MaxMind's databases.
 */
export function toPlace(record: unknown): Place {
  if (record === null || typeof record !== 'object') return NOWHERE;
  const { country, country_code, state1, region, subdivisions, city } = record as Member;
  return {
    country: toText(country_code) || toText(country) || toText(memberOf(country, 'iso_code')),
    region: toText(state1) || toText(region) || toName(memberOf(subdivisions, '0')),
    city: (toText(city) || toName(city)).replace(/ \(.*$/, ''), // Not `Berlin (Bezirk Mitte)`.
  };
}

type Member = Readonly<Record<string, unknown>>;

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Member)[name] : undefined;
}

function toName(value: unknown): string {
  return toText(memberOf(memberOf(value, 'names'), 'en'));
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
