import type { LedgerEntry, LedgerOutcome } from './commit-entries.ts';

type PaymentEntry = Extract<LedgerEntry, { kind: 'payment' }>;
type PaymentText = Omit<PaymentEntry, 'report'> & {
  readonly report: Omit<PaymentEntry['report'], 'amountMinor'> & { readonly amountMinor: string };
};

/**
 * A group of entries on its way to the thread that commits it.
 *
 * Why payments alone go as one text: to clone so many small objects takes both threads longer. JSON
 * has no BigInt, so that amounts are texts in it.
 */
export type GroupMessage =
  | { readonly payments: string }
  | { readonly entries: readonly LedgerEntry[] };

/** The outcomes of a group on their way back: how many, and those that are not `recorded`. */
export type OutcomesMessage = {
  readonly count: number;
  readonly others: readonly (readonly [index: number, outcome: LedgerOutcome])[];
};

const RECORDED: LedgerOutcome = Object.freeze({ kind: 'recorded' });

/** The message of a group. */
export function packGroup(entries: readonly LedgerEntry[]): GroupMessage {
  const texts: PaymentText[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'payment') return { entries };
    const { report } = entry;
    texts.push({ ...entry, report: { ...report, amountMinor: `${report.amountMinor}` } });
  }
  return { payments: JSON.stringify(texts) };
}

/** The group of a message. */
export function unpackGroup(message: GroupMessage): readonly LedgerEntry[] {
  if ('entries' in message) return message.entries;
  const texts: PaymentText[] = JSON.parse(message.payments);
  return texts.map(({ report, ...entry }) => ({
    ...entry,
    report: { ...report, amountMinor: BigInt(report.amountMinor) },
  }));
}

/** The message of outcomes. */
export function packOutcomes(outcomes: readonly LedgerOutcome[]): OutcomesMessage {
  const others: [number, LedgerOutcome][] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.kind !== 'recorded') others.push([index, outcome]);
  }
  return { count: outcomes.length, others };
}

/** The outcomes of a message, in the order of their entries. */
export function unpackOutcomes({ count, others }: OutcomesMessage): readonly LedgerOutcome[] {
  const outcomes = new Array<LedgerOutcome>(count).fill(RECORDED);
  for (const [index, outcome] of others) outcomes[index] = outcome;
  return outcomes;
}
