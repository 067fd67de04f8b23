import { InvalidArgumentError } from 'commander';

const MS_BY_UNIT: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 365 * 86_400_000,
};

const DURATION_MAX_MS = 100 * 365 * 86_400_000;

/** Parses a duration such as `90d`, `24h` or `30m` into milliseconds. Throws an error that commander reports. */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d+)([smhdwy])$/.exec(text) ?? [];
  const durationMs = Number(count) * (MS_BY_UNIT[unit] ?? Number.NaN);
  if (Number.isNaN(durationMs)) {
    throw new InvalidArgumentError('A duration looks like 90d, 24h or 30m.');
  }
  if (durationMs > DURATION_MAX_MS) {
    throw new InvalidArgumentError('A duration is at most 100 years: 100y or 36500d.');
  }
  return durationMs;
}
