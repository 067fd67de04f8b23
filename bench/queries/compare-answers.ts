/** Estimates, and events between two queries, account for less. */
const ALLOWED_SHARE = 0.02;

type Answer = { readonly results: readonly { readonly metrics: readonly unknown[] }[] };

/**
 * How two checkouts' answers to the same query differ, or `undefined` if about the same.
 *
 * Why: a faster but different answer is no gain.
 */
export function compareAnswers(answers: readonly unknown[]): string | undefined {
  const [here, there] = answers as readonly (Answer | undefined)[];
  if (here === undefined || there === undefined) return undefined;
  if (here.results.length !== there.results.length) {
    return `${here.results.length} rows, not ${there.results.length}`;
  }
  for (const index of here.results[0]?.metrics.keys() ?? []) {
    const [own, other] = [sumOf(here, index), sumOf(there, index)];
    const share = Math.abs(own - other) / Math.max(Math.abs(own), Math.abs(other), 1);
    if (share > ALLOWED_SHARE) return `value ${index + 1} adds up to ${own}, not ${other}`;
  }
  return undefined;
}

function sumOf({ results }: Answer, index: number): number {
  return results.reduce((sum, { metrics }) => sum + toNumber(metrics[index]), 0);
}

/** Money is an object with a decimal string. */
function toNumber(value: unknown): number {
  return typeof value === 'object' && value !== null && 'value' in value
    ? Number(value.value)
    : Number(value ?? 0);
}
