import type { Fault } from '#contract/fault.ts';
import { PATTERN_RULES, VISITOR_ID_PATTERN } from '#contract/patterns.ts';
import type { PaymentRequest } from '#contract/payments/payment.ts';
import { normalizeEmail } from '#domain/identity/normalize-email.ts';
import { type IdentityKind, isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';
import { type Currency, findCurrency } from '#domain/money/currencies.ts';
import { formatAmount } from '#domain/money/format-amount.ts';
import { type AmountRefusal, type ParsedAmount, parseAmount } from '#domain/money/parse-amount.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { isLocal, parseInstant } from './parse-instant.ts';

/** A payment as sent: fields of any type, and the decimal text of its amount. */
export type SentPayment = {
  readonly fields: { readonly [Field in keyof PaymentRequest]?: unknown };
  readonly amountText: string | undefined;
  /** The visitor id is invalid. It is ignored: visitors control their cookie, and money must count. */
  readonly hasBadVisitor: boolean;
  /** Faults that the schema has found. A fault is reported only once. */
  readonly faults: readonly Fault[];
};

type ParsedPayment = { readonly facts: PaymentReport; readonly notes: readonly string[] };

/** The time zone of the payment's dates, and its arrival in milliseconds since 1970. */
type PaymentContext = { readonly timezone: string; readonly receivedAt: number };

const EARLIEST_DATE = '2000-01-01';
const EARLIEST_MS = Date.parse(EARLIEST_DATE);

/**
 * Parses a payment, or refuses it with all its faults: those from the schema, and those of currency,
 * dates and combinations of fields.
 */
export function parsePayment(
  sent: SentPayment,
  context: PaymentContext,
): Result<ParsedPayment, Fault[]> {
  const notes: string[] = [];
  const faults = [...sent.faults];
  const add = (field: string, message: string) => {
    const path = `/${field}`;
    if (!sent.faults.some((fault) => fault.path === path)) faults.push({ path, message });
  };

  const { fields } = sent;
  const currency = typeof fields.currency === 'string' ? parseCurrency(fields.currency) : undefined;
  if (currency === undefined) add('currency', 'must be an ISO 4217 code with a minor unit');
  const amount = parseAmountOf(sent.amountText, currency, add);
  const paidAt = parseInstantOf('timestamp', fields.timestamp, context, add);
  const refundedAt = parseInstantOf('refunded_at', fields.refunded_at, context, add);
  const original = toFact(fields.original_transaction_id);
  if (original !== undefined && fields.refunded !== true) {
    add('original_transaction_id', 'requires refunded to be true');
  }
  if (original !== undefined && original === fields.transaction_id) {
    add('original_transaction_id', 'must differ from transaction_id');
  }

  if (faults.length > 0 || amount === undefined || currency === undefined) {
    return refuse(faults);
  }
  if (amount.isRounded) notes.push(`The amount was rounded to ${toText(amount.minor, currency)}.`);
  notes.push(...noteZones(fields, context.timezone));
  if (sent.hasBadVisitor) notes.push(LEFT_OUT);
  const visitor = sent.hasBadVisitor ? undefined : toFact(fields.service_visitor_id);
  const email = toFact(normalizeEmail(toFact(fields.email) ?? toFact(fields.customer_email) ?? ''));
  const somebody = (field: string, kind: IdentityKind, key: string | undefined) => {
    if (key === undefined || !isPlaceholderKey(kind, key)) return key;
    notes.push(`${field} "${key}" identifies nobody and was ignored.`);
    return undefined;
  };
  const facts: PaymentReport = {
    transactionId: String(fields.transaction_id),
    amountMinor: amount.minor,
    currency: currency.code,
    renewal: fields.renewal === true,
    refunded: fields.refunded === true,
    receivedAt: context.receivedAt,
    visitorId: somebody('service_visitor_id', 'visitor', visitor),
    email: somebody('email', 'email', email),
    name: toFact(fields.name) ?? toFact(fields.customer_name),
    customerId: somebody('customer_id', 'customer', toFact(fields.customer_id)),
    originalTransactionId: original,
    subscriptionId: somebody('subscription_id', 'customer', toFact(fields.subscription_id)),
    product: toFact(fields.product),
    paidAt,
    refundedAt,
  };
  return ok({ facts, notes });
}

const LEFT_OUT = `service_visitor_id is not a valid visitor id and was ignored: it ${PATTERN_RULES.get(VISITOR_ID_PATTERN)}.`;

function toText(minor: bigint, currency: Currency): string {
  return `${formatAmount(minor, currency)} ${currency.code}`;
}

type AddFault = (field: string, message: string) => void;

function parseCurrency(text: string): Currency | undefined {
  return /^[A-Za-z]{3}$/.test(text) ? findCurrency(text.toUpperCase()) : undefined;
}

/** Without a known currency, the amount cannot be checked. */
function parseAmountOf(
  text: string | undefined,
  currency: Currency | undefined,
  add: AddFault,
): ParsedAmount | undefined {
  if (text === undefined || currency === undefined) return undefined;
  const amount = parseAmount(text, currency);
  if (amount.ok) return amount.value;
  add('amount', AMOUNT_FAULTS[amount.error]);
  return undefined;
}

const AMOUNT_FAULTS: Readonly<Record<AmountRefusal, string>> = {
  not_a_number: 'must be a number',
  negative: 'must be at least 0',
  too_large: 'must be at most 1000000000000',
};

function parseInstantOf(
  field: string,
  text: unknown,
  { timezone, receivedAt }: PaymentContext,
  add: AddFault,
): number | undefined {
  if (typeof text !== 'string') return undefined;
  const instant = parseInstant(text, timezone);
  if (instant === undefined) {
    add(field, 'must be ISO 8601, or seconds or milliseconds since 1970');
  } else if (isBefore2000(text, instant) || instant > receivedAt + DAY_MS) {
    add(field, 'must be from 2000 on and at most 24 hours ahead');
  }
  return instant;
}

/** Dates are compared as dates: in zones ahead of UTC, the year 2000 began in 1999 UTC. */
function isBefore2000(text: string, instant: number): boolean {
  return isLocal(text) ? text < EARLIEST_DATE : instant < EARLIEST_MS;
}

/** A note for each timestamp that says no offset. */
function noteZones(fields: SentPayment['fields'], timeZone: string): string[] {
  const local = (['timestamp', 'refunded_at'] as const).filter((name) => {
    const text = fields[name];
    return typeof text === 'string' && isLocal(text);
  });
  return local.map((name) => `${name} has no offset and was read in the time zone ${timeZone}.`);
}

/** An empty string counts as absent. */
function toFact(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
