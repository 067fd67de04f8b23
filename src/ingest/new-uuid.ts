import { randomUUID } from 'node:crypto';

/** Creates an id that sorts by its instant. */
export type NewId = (atMs: number) => string;

/** From this position on, UUID versions 4 and 7 have the same layout of random bits. */
const RANDOM_AT = 15;

/**
 * Creates a UUID version 7 for an instant.
 *
 * - Source: RFC 9562, section 5.7: 48 bits of time, 74 random bits.
 */
export function newUuid(atMs: number): string {
  const time = atMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(RANDOM_AT)}`;
}

/**
 * The instant of a UUID version 7.
 *
 * - Units: milliseconds since 1970 in UTC.
 */
export function instantOfUuid(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}
