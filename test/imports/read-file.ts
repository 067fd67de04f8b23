import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { ReadingOptions } from '#imports/formats/format.ts';
import { importPayments } from '#imports/import-payments.ts';
import { openPaymentFile } from '#imports/read-lines.ts';

type Asked = ReadingOptions & { readonly format?: string };

/** Imports a file. Each report is a line of what is in it. */
export async function readFile(text: string | Uint8Array, asked: Asked = {}) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const file = await openPaymentFile(() => chunksOf(bytes), asked);
  const reports: string[] = [];
  const now = () => Date.UTC(2026, 11, 1);
  const tally = await importPayments(file, {
    ...{ timezone: 'Europe/Berlin', now },
    async accept(group) {
      reports.push(...group.map(toLine));
      return group.map(() => ({ kind: 'recorded', isFirst: true }) as const);
    },
  });
  const faults = tally.faults.map(({ line, column, message }) => `${line} ${column} ${message}`);
  const leftOut = tally.left_out.map(({ message, lines }) => `${lines} ${message}`);
  return { format: file.format.title, reports, faults, leftOut, ignored: file.ignored };
}

async function* chunksOf(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 50) yield bytes.subarray(at, at + 50);
}

function toLine(report: PaymentReport): string {
  const { transactionId: id, amountMinor, currency, originalTransactionId: of } = report;
  const at = report.refunded ? report.refundedAt : report.paidAt;
  const what = report.refunded ? `refund ${id}${of ? ` of ${of}` : ''}` : `payment ${id}`;
  const facts = [report.visitorId, report.email, report.customerId, report.subscriptionId];
  return [
    ...[what, amountMinor, currency, at === undefined ? '' : new Date(at).toISOString()],
    ...[...facts, report.product, report.renewal ? 'renewal' : ''],
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
}
