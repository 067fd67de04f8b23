import type { Count } from './count.ts';

/** The counts for programs: all, those that differ, and those that differ as was accepted. */
export function toValues(counts: readonly Count[]) {
  const values = counts.map(({ gap: _, isAccepted, ...count }) => ({
    ...count,
    ...(isAccepted && { accepted: true }),
  }));
  const differences = values.filter(({ agrees }) => !agrees);
  const accepted = values.filter((count) => count.accepted);
  return { verified: differences.length === 0, counts: values, differences, accepted };
}
