import type { JsonValue } from './json.ts';

/** An instant of ISO 8601 in milliseconds since 1970. Without an offset, it is in UTC. */
export function readIso(value: JsonValue | undefined): number | undefined {
  if (typeof value !== 'string' || !ISO.test(value)) return undefined;
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(value);
  return plausible(Date.parse(hasZone ? value : `${value}Z`));
}

/** Seconds since 1970 in milliseconds. */
export function readSeconds(value: JsonValue | undefined): number | undefined {
  return plausible(Number(toDigits(value)) * 1_000);
}

/** Milliseconds since 1970. */
export function readMillis(value: JsonValue | undefined): number | undefined {
  return plausible(Number(toDigits(value)));
}

const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
const YEAR_10000 = 253_402_300_800_000;

function toDigits(value: JsonValue | undefined): string {
  return /^\d{1,15}$/.test(String(value)) ? String(value) : 'none';
}

/** Providers write the year 1 for "never". */
function plausible(ms: number): number | undefined {
  return ms > 0 && ms < YEAR_10000 ? Math.floor(ms) : undefined;
}
