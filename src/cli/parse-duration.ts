const MS_BY_UNIT: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 365 * 86_400_000,
};

/** The longest duration: a hundred years. */
export const DURATION_MAX_MS = 100 * 365 * 86_400_000;

/** Milliseconds of a duration like `90d`, `24h` or `30m`; nothing when it is not one. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d+)([smhdwy])$/.exec(text) ?? [];
  const ms = MS_BY_UNIT[unit];
  return count === undefined || ms === undefined ? undefined : Number(count) * ms;
}
