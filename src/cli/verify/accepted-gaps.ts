import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { DataPaths } from '#processes/paths.ts';
import type { Check } from './count.ts';

/** A gap that an operator accepted with a rebuilt warehouse, and its size. Negative for a surplus. */
type AcceptedGap = { readonly name: string; readonly size: number };

/** Reads the accepted gaps of the current warehouse. Throws if the file is invalid. */
export function readAcceptedGaps({ acceptedGaps: path }: DataPaths): AcceptedGap[] {
  if (!existsSync(path)) return [];
  try {
    const gaps = JSON.parse(readFileSync(path, 'utf8')) as AcceptedGap[];
    return gaps.map(({ name, size }) => ({ name: String(name), size: Number(size) }));
  } catch (error) {
    throw new Error(
      `${path} is not a valid list of accepted gaps (${error}). Remove it; its gaps are then reported as differences.`,
    );
  }
}

/**
 * Saves the gaps of a warehouse that is accepted as it is, or removes the file if there are none.
 *
 * - Why: journals keep counting events that the archive has lost. Without this file, `verify` would
 *   report that difference forever and hide new ones.
 */
export function saveAcceptedGaps(
  { acceptedGaps: path }: DataPaths,
  counts: readonly Check[],
): void {
  const gaps = counts
    .filter(({ agrees, isAccepted }) => !agrees || isAccepted)
    .flatMap(({ gap }) => (gap === undefined ? [] : [{ name: gap.name, size: gap.least }]));
  if (gaps.length === 0) {
    rmSync(path, { force: true });
    return;
  }
  writeFileSync(`${path}.fresh`, `${JSON.stringify(gaps)}\n`, { flush: true });
  renameSync(`${path}.fresh`, path);
}

/** Marks counts as agreeing if they differ by exactly an accepted gap. */
export function withAccepted(counts: readonly Check[], accepted: readonly AcceptedGap[]): Check[] {
  const sizes = new Map(accepted.map(({ name, size }) => [name, size]));
  return counts.map((count) => {
    const { gap, agrees } = count;
    const size = gap && sizes.get(gap.name);
    if (agrees || gap === undefined || size === undefined) return count;
    return size < gap.least || size > gap.most
      ? count
      : { ...count, agrees: true, isAccepted: true };
  });
}
