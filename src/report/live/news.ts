import { hash } from 'node:crypto';
import { readEventLine } from '#contract/event-lines.ts';
import type { EventRow } from '#contract/event-row.ts';
import type { LiveEvent, LivePayment } from '#contract/live.ts';
import { ownRefundAtOf, paidAtOf, refundAtOf, totalsOf } from '#domain/money/payment-record.ts';
import type { RecordedPayment } from '#ledger/project-payment.ts';
import { toMoney } from '../query/shape/to-answer-row.ts';

/** Something that was accepted, ready to be told to who listens. */
export type News = {
  readonly siteId: string;
  /** The same for the same event or payment, wherever it was found. */
  readonly key: string;
  /** Milliseconds, UTC. */
  readonly acceptedAt: number;
  readonly event: 'event' | 'payment';
  readonly data: LiveEvent | LivePayment;
};

/** What happened longer than this before it was accepted is history: an import, or sent late. */
export const LATE_MAX_MS = 30 * 60_000;

/** As much of a row of `events` as is told, from the warehouse or from a journal. */
export type NewsRow = Pick<
  EventRow,
  | 'site_id'
  | 'event_id'
  | 'type'
  | 'occurred_at'
  | 'accepted_at'
  | 'bot_class'
  | 'name'
  | 'path'
  | 'title'
  | 'source'
  | 'channel'
  | 'country'
  | 'city'
  | 'device'
  | 'browser'
>;

/** The news of an event; none when it is of a bot, long past, or nothing that a visitor did. */
export function toEventNews(row: NewsRow): News | undefined {
  const { type } = row;
  if (type !== 'pageview' && type !== 'goal' && type !== 'outbound' && type !== 'download') {
    return undefined;
  }
  if (row.bot_class || row.accepted_at - row.occurred_at > LATE_MAX_MS) return undefined;
  const id = row.event_id.toLowerCase();
  const told = {
    page: row.path,
    title: row.title,
    goal: type === 'goal' ? row.name : '',
    source: row.source,
    channel: row.channel,
    country: row.country,
    city: row.city,
    device: row.device,
    browser: row.browser,
  };
  const data = { id, type, at: toIso(row.occurred_at), ...withoutEmpty(told) };
  return { siteId: row.site_id, key: id, acceptedAt: row.accepted_at, event: 'event', data };
}

/** The news of a line of an event, if it holds any. */
export function parseEventNews(line: string): News | undefined {
  try {
    return toEventNews(readEventLine(line) as NewsRow);
  } catch {
    return undefined; // Damage is found and told by who ships it.
  }
}

/** The news of a payment: itself, and each of its refunds, whenever they were accepted. */
export function toPaymentNews({ siteId, transactionId, record, refunds }: RecordedPayment): News[] {
  const { grossMinor, ownRefundMinor } = totalsOf(record);
  const news = (
    type: 'payment' | 'refund',
    id: string,
    amountMinor: bigint,
    { at, acceptedAt }: { readonly at: number; readonly acceptedAt: number },
  ): News => {
    const key = hash('sha256', JSON.stringify([siteId, type, id, `${amountMinor}`]), 'hex');
    const data: LivePayment = {
      ...{ id: key.slice(0, 32), type, at: toIso(at) },
      amount: toMoney(amountMinor, record.currency),
      renewal: record.renewal,
      ...withoutEmpty({ product: record.product }),
    };
    return { siteId, key: data.id, acceptedAt, event: 'payment', data };
  };
  const found: News[] = [];
  const { receivedAt, refundReceivedAt } = record;
  const paidAt = paidAtOf(record);
  const isReported = record.statedMinor !== undefined || ownRefundMinor !== undefined;
  const acceptedAt = receivedAt ?? refundReceivedAt;
  if (isReported && acceptedAt !== undefined) {
    const at = { at: paidAt ?? acceptedAt, acceptedAt };
    found.push(news('payment', transactionId, grossMinor, at));
  }
  if (ownRefundMinor !== undefined && refundReceivedAt !== undefined) {
    const at = { at: ownRefundAtOf(record) ?? refundReceivedAt, acceptedAt: refundReceivedAt };
    found.push(news('refund', transactionId, ownRefundMinor, at));
  }
  for (const { transactionId: id, record: refund } of refunds) {
    const at = { at: refundAtOf(refund), acceptedAt: refund.receivedAt };
    found.push(news('refund', id, refund.amountMinor, at));
  }
  return found;
}

function withoutEmpty<T extends Readonly<Record<string, string | undefined>>>(texts: T) {
  const told = Object.entries(texts).filter(([, text]) => text !== undefined && text !== '');
  return Object.fromEntries(told) as { [Name in keyof T]?: string };
}

function toIso(at: number): string {
  return new Date(at).toISOString();
}
