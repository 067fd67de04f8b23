import { findCurrency } from '#domain/money/currencies.ts';
import { formatAmount } from '#domain/money/format-amount.ts';
import type { PaymentReport as PaymentFacts } from '#domain/money/payment-record.ts';

/** What comes of a line: reports, or what is wrong, or why it is left out; and notes on how it was read. */
export type FoundReports = {
  readonly facts: readonly PaymentFacts[];
  readonly notes: readonly string[];
  readonly faults: readonly { readonly column: string; readonly message: string }[];
  readonly leftOut?: string;
};

/** What is wrong with a line. Without a column, it is the whole line, or what the ledger has. */
export type LineFault = {
  readonly line: number;
  readonly column: string;
  readonly message: string;
};

/** How many lines something is true of. */
export type Remark = { readonly message: string; readonly lines: number };

/** What was, or would be, recorded of a currency. */
type CurrencySum = {
  readonly currency: string;
  readonly payments: number;
  readonly amount: string;
  readonly refunds: number;
  readonly refunded: string;
};

/** What came of a file. */
export type ImportTally = {
  readonly lines: number;
  readonly payments: number;
  readonly refunds: number;
  /** Reports that added facts to payments which were there. */
  readonly completed: number;
  readonly already_there: number;
  readonly wrong_lines: number;
  /** The first of them. */
  readonly faults: readonly LineFault[];
  readonly left_out: readonly Remark[];
  readonly notes: readonly Remark[];
  readonly sums: readonly CurrencySum[];
  /** The earliest and the latest time of what was recorded. */
  readonly first: string | undefined;
  readonly last: string | undefined;
};

/** The most faults, and different remarks, that are listed. */
export const FAULTS_LISTED = 100;
const REMARKS_LISTED = 20;

/** Counts what comes of the lines of a file. */
export function createTally() {
  const counts = { lines: 0, payments: 0, refunds: 0, completed: 0, already_there: 0 };
  const wrong = new Set<number>();
  const faults: LineFault[] = [];
  const leftOut = new Map<string, number>();
  const notes = new Map<string, number>();
  const sums = new Map<string, { payments: number; paid: bigint; refunds: number; back: bigint }>();
  let span: readonly [first: number, last: number] | undefined;

  function addFault(line: number, column: string, message: string): void {
    wrong.add(line);
    if (faults.length < FAULTS_LISTED) faults.push({ line, column, message });
  }

  function addSum({ currency, amountMinor, refunded, ...facts }: PaymentFacts): void {
    const sum = sums.getOrInsertComputed(currency, () => {
      return { payments: 0, paid: 0n, refunds: 0, back: 0n };
    });
    counts[refunded ? 'refunds' : 'payments'] += 1;
    sum[refunded ? 'refunds' : 'payments'] += 1;
    sum[refunded ? 'back' : 'paid'] += amountMinor;
    const at = (refunded ? facts.refundedAt : undefined) ?? facts.paidAt ?? facts.receivedAt;
    span = span === undefined ? [at, at] : [Math.min(span[0], at), Math.max(span[1], at)];
  }

  return {
    addFault,
    addLine(line: number, found: FoundReports): void {
      counts.lines += 1;
      for (const { column, message } of found.faults) addFault(line, column, message);
      if (found.leftOut !== undefined) count(leftOut, found.leftOut);
      for (const note of new Set(found.notes)) count(notes, note);
    },
    addReport(facts: PaymentFacts, isRecorded: boolean, isFirst: boolean): void {
      if (!isRecorded) counts.already_there += 1;
      else if (isFirst || facts.refunded) addSum(facts);
      else counts.completed += 1;
    },
    toTally(): ImportTally {
      const [first, last] = (span ?? []).map((at) => new Date(at).toISOString());
      return {
        ...counts,
        wrong_lines: wrong.size,
        faults: faults.toSorted((a, b) => a.line - b.line),
        ...{ left_out: toRemarks(leftOut), notes: toRemarks(notes), first, last },
        sums: [...sums].map(([code, { payments, paid, refunds, back }]) => {
          const currency = findCurrency(code) ?? { code, exponent: 0 };
          const [amount, refunded] = [formatAmount(paid, currency), formatAmount(back, currency)];
          return { currency: code, payments, amount, refunds, refunded };
        }),
      };
    },
  };
}

function count(lines: Map<string, number>, message: string): void {
  if (!lines.has(message) && lines.size >= REMARKS_LISTED) return;
  lines.set(message, (lines.get(message) ?? 0) + 1);
}

function toRemarks(lines: ReadonlyMap<string, number>): Remark[] {
  return [...lines].map(([message, count]) => ({ message, lines: count }));
}
