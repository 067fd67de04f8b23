import { createChecker } from '#contract/checker.ts';
import type { Fault } from '#contract/fault.ts';
import { PaymentRequest } from '#contract/payments/payment.ts';
import type { PaymentReport as PaymentFacts } from '#domain/money/payment-record.ts';
import type { PaymentOutcome } from '#domain/outcome.ts';
import { parsePayment, type SentPayment } from '#ingest/parse-payment.ts';
import type { Format, PaymentFields, Reading } from './formats/format.ts';
import type { PaymentFile } from './read-lines.ts';
import { createTally, type FoundReports, type ImportTally } from './tally.ts';

/** Records reports, or tries it. Returns an outcome for each, in their order. */
export type AcceptReports = (
  reports: readonly PaymentFacts[],
) => Promise<readonly PaymentOutcome[]>;

type Deps = {
  /** The time zone of dates without one. */
  readonly timezone: string;
  readonly now: () => number;
  readonly accept: AcceptReports;
};

/** Reports that are recorded together: enough for the disk, few enough that a server beside does not wait. */
const GROUP_MAX = 500;

/** A report and the line that it comes from. */
type Sent = { readonly line: number; readonly facts: PaymentFacts };

/**
 * Imports the payments of a file, as if each was sent to `POST /api/v1/payments`. Lines that are wrong are counted and
 * listed, and the others recorded.
 */
export async function importPayments(file: PaymentFile, deps: Deps): Promise<ImportTally> {
  const tally = createTally();
  let group: Sent[] = [];
  let running: Promise<void> = Promise.resolve();

  async function record(sent: readonly Sent[]): Promise<void> {
    const outcomes = await deps.accept(sent.map(({ facts }) => facts));
    for (const [index, { line, facts }] of sent.entries()) {
      const outcome = outcomes[index] as PaymentOutcome;
      if (outcome.kind === 'transaction_conflict') tally.addFault(line, '', outcome.message);
      else tally.addReport(facts, outcome.kind === 'recorded', outcome.isFirst === true);
    }
  }

  /** Begins to record the group. The next one is read meanwhile. */
  async function proceed(): Promise<void> {
    await running;
    running = record(group);
    running.catch(() => {}); // It is thrown where it is awaited.
    group = [];
  }

  for await (const lines of file.readLines()) {
    for (const { line, reading } of lines) {
      const found = readReports(file.format, reading, deps);
      tally.addLine(line, found);
      group.push(...found.facts.map((facts) => ({ line, facts })));
      if (group.length >= GROUP_MAX) await proceed();
    }
  }
  await proceed();
  await running;
  return tally.toTally();
}

function readReports(format: Format, reading: Reading, { timezone, now }: Deps): FoundReports {
  const none = { facts: [], notes: [], faults: [] };
  if (reading.kind === 'left_out') return { ...none, leftOut: reading.because };
  const parsed = reading.reports.map((fields) =>
    parsePayment(toSent(fields), { timezone, receivedAt: now() }),
  );
  const found = parsed.flatMap((each) => (each.ok ? [] : each.error));
  const isNamed = (column: string) => reading.faults.some((fault) => fault.column === column);
  const more = found.map((fault) => toCell(format, fault)).filter((each) => !isNamed(each.column));
  const faults = [...reading.faults, ...more];
  if (faults.length > 0) return { ...none, faults };
  const values = parsed.flatMap((each) => (each.ok ? [each.value] : []));
  return {
    ...none,
    facts: values.map(({ facts }) => facts),
    notes: values.flatMap(({ notes }) => notes),
  };
}

const checker = createChecker(PaymentRequest);

/** Fields as the API takes them, with the faults of their form. */
function toSent(written: PaymentFields): SentPayment {
  const given = Object.entries(written).filter(([, value]) => value !== '' && value !== undefined);
  const fields: Record<string, unknown> = Object.fromEntries(given);
  const amountText = fields.amount as string | undefined;
  if (amountText !== undefined) fields.amount = Number(amountText);
  const faults = checker.isValid(fields) ? [] : checker.findFaults(fields);
  const isOfVisitor = ({ path }: Fault) => path === '/service_visitor_id';
  return {
    ...{ fields, amountText, hasBadVisitor: faults.some(isOfVisitor) },
    faults: faults.filter((fault) => !isOfVisitor(fault)),
  };
}

function toCell(format: Format, { path, message }: Fault) {
  const field = path.slice(1) as keyof PaymentRequest;
  return { column: format.columns[field] ?? field, message };
}
