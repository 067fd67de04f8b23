import { readFileSync } from 'node:fs';

/** A statement written by hand, by the name of the panel that it answers. */
export type ByHandStatement = { readonly panel: string; readonly sql: string };

/**
 * The statements of by-hand.sql about the last days of a site.
 *
 * - Units: `endsAt` in milliseconds since 1970.
 */
export function readByHand(
  siteId: string,
  { days, endsAt }: { readonly days: number; readonly endsAt: number },
): ByHandStatement[] {
  const text = readFileSync(new URL('by-hand.sql', import.meta.url), 'utf8');
  const toInstant = (ms: number) => `fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`;
  const daysBack = (count: number) => toInstant(endsAt - count * 86_400_000);
  const filled = text
    .replaceAll('{site}', `'${siteId}'`)
    .replaceAll('{before}', daysBack(2 * days))
    .replaceAll('{from}', daysBack(days))
    .replaceAll('{to}', toInstant(endsAt));
  return filled
    .split(/^-- panel: /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { panel: part.slice(0, end), sql: part.slice(end + 1) };
    });
}
