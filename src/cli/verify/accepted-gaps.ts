import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { DataPaths } from '#processes/paths.ts';
import type { Count } from './count.ts';

/** What lacked when somebody took a warehouse with its gaps, and how much; below zero what was too much. */
export type AcceptedGap = { readonly name: string; readonly size: number };

/** The gaps of the warehouse that is there. Throws when the note of them is none. */
export function readAcceptedGaps({ acceptedGaps: path }: DataPaths): AcceptedGap[] {
  if (!existsSync(path)) return [];
  try {
    const gaps = JSON.parse(readFileSync(path, 'utf8')) as AcceptedGap[];
    return gaps.map(({ name, size }) => ({ name: String(name), size: Number(size) }));
  } catch (error) {
    throw new Error(
      `${path} holds no gaps that were accepted (${error}). Remove it: what it held differs then.`,
    );
  }
}

/**
 * Writes down what these counts of a warehouse differ by, that is taken as it is; no note when they agree.
 *
 * - Why a note: what the archive lost, journals go on counting as shipped, and `verify` would differ
 *   for ever, whatever else differs one day.
 */
export function saveAcceptedGaps(
  { acceptedGaps: path }: DataPaths,
  counts: readonly Count[],
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

/** The counts; one that differs by no more and no less than was accepted agrees. */
export function withAccepted(counts: readonly Count[], accepted: readonly AcceptedGap[]): Count[] {
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
