import type { LedgerEntry, LedgerOutcome } from './commit-entries.ts';

/** The outcomes of a group, or only their number if all are a plain `recorded`. */
export type OutcomesMessage = number | readonly LedgerOutcome[];

const RECORDED: LedgerOutcome = Object.freeze({ kind: 'recorded' });

/**
 * Serializes a group of entries as JSON.
 *
 * Why JSON: cloning many small objects takes both threads longer. JSON has no BigInt, so amounts become strings.
 */
export function packGroup(entries: readonly LedgerEntry[]): string {
  return JSON.stringify(
    entries.map((entry) => {
      if (entry.kind !== 'payment') return entry;
      const { report } = entry;
      return { ...entry, report: { ...report, amountMinor: `${report.amountMinor}` } };
    }),
  );
}

/** Parses a group of entries. */
export function unpackGroup(group: string): readonly LedgerEntry[] {
  const entries: LedgerEntry[] = JSON.parse(group);
  return entries.map((entry) => {
    if (entry.kind !== 'payment') return entry;
    const { report } = entry;
    return { ...entry, report: { ...report, amountMinor: BigInt(report.amountMinor) } };
  });
}

/** Packs outcomes into a message. */
export function packOutcomes(outcomes: readonly LedgerOutcome[]): OutcomesMessage {
  const isPlain = (outcome: LedgerOutcome) =>
    outcome.kind === 'recorded' && Object.keys(outcome).length === 1;
  return outcomes.every(isPlain) ? outcomes.length : outcomes;
}

/** Unpacks outcomes, in the order of their entries. */
export function unpackOutcomes(message: OutcomesMessage): readonly LedgerOutcome[] {
  return typeof message === 'number' ? new Array(message).fill(RECORDED) : message;
}
