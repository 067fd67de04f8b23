import { randomUUID } from 'node:crypto';

/** Makes ids whose order is that of the instants they are made for. */
export type NewId = (atMs: number) => string;

/** Where the random bits of a UUID of version 4 begin that one of version 7 has in the same places. */
const RANDOM_AT = 15;

/**
 * A new UUID of version 7 for an instant.
 *
 * - Source: RFC 9562, section 5.7: 48 bits of time, 74 random bits.
 */
export function newUuid(atMs: number): string {
  const time = atMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(RANDOM_AT)}`;
}

/**
 * The instant that a UUID of version 7 was made for.
 *
 * - Units: milliseconds since 1970 in UTC.
 */
export function instantOfUuid(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}
