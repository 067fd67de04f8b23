import type { LedgerEntry, LedgerOutcome } from './commit-entries.ts';

/** Called of the thread that commits to the ledger: a group, as {@link packGroup} writes it. */
export type LedgerCall = { readonly kind: 'commit'; readonly group: string };

/** The outcomes of a group, or only their number when all are `recorded` and nothing more. */
export type OutcomesMessage = number | readonly LedgerOutcome[];

const RECORDED: LedgerOutcome = Object.freeze({ kind: 'recorded' });

/**
 * A group of entries as one text.
 *
 * Why a text: to clone so many small objects takes both threads longer. JSON has no BigInt, so that
 * amounts are texts in it.
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

/** The entries of a group. */
export function unpackGroup(group: string): readonly LedgerEntry[] {
  const entries: LedgerEntry[] = JSON.parse(group);
  return entries.map((entry) => {
    if (entry.kind !== 'payment') return entry;
    const { report } = entry;
    return { ...entry, report: { ...report, amountMinor: BigInt(report.amountMinor) } };
  });
}

/** The message of outcomes. */
export function packOutcomes(outcomes: readonly LedgerOutcome[]): OutcomesMessage {
  const isPlain = (outcome: LedgerOutcome) =>
    outcome.kind === 'recorded' && Object.keys(outcome).length === 1;
  return outcomes.every(isPlain) ? outcomes.length : outcomes;
}

/** The outcomes of a message, in the order of their entries. */
export function unpackOutcomes(message: OutcomesMessage): readonly LedgerOutcome[] {
  return typeof message === 'number' ? new Array(message).fill(RECORDED) : message;
}
