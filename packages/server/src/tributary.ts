import { toMajorText } from './amounts.ts';
import type {
  GoalAnswer,
  GoalRequest,
  IdentifyAnswer,
  IdentifyRequest,
  PaymentAnswer,
  PaymentRequest,
} from './contract.ts';
import { createQueue } from './queue.ts';
import { retry } from './retry.ts';
import { type Report, sendReport } from './send-report.ts';
import { TributaryError } from './tributary-error.ts';

/** A visitor's id, or undefined if the script was blocked: then there is nothing to report. */
type OfVisitor<Request> = Omit<Request, 'service_visitor_id'> & {
  readonly service_visitor_id: string | undefined;
};
/** A goal that a visitor has reached. */
export type Goal = OfVisitor<GoalRequest>;
/** Who a visitor is. */
export type Identity = OfVisitor<IdentifyRequest>;

/** A payment, with its amount in minor units (2999 cents) or in units of the currency (29.99). */
export type Payment = Omit<PaymentRequest, 'amount' | 'refunded' | 'refunded_at'> &
  (
    | { readonly amount_minor: number | bigint; readonly amount?: never }
    | { readonly amount: number; readonly amount_minor?: never }
  );

/**
 * A refund: all that was paid back of the payment `transaction_id` so far; or with `original_transaction_id`, one refund of
 * that payment under an id of its own.
 */
export type Refund = Payment & Pick<PaymentRequest, 'refunded_at'>;

/** Makes the same report count once, across processes and restarts too, for 24 hours. Default: random, for retries. */
export type Once = { readonly idempotencyKey?: string | undefined };

/** A report that a queue drops. `body` is its JSON, to keep elsewhere. */
export type Dropped = Pick<Report, 'kind' | 'subject' | 'path' | 'body'>;

/** How a client reports. */
export type TributaryOptions = {
  /** Where Tributary answers. Default: the variable `TRIBUTARY_URL`. */
  readonly url?: string | undefined;
  /** A key of the site. Default: the variable `TRIBUTARY_KEY`. */
  readonly key?: string | undefined;
  /** How long one attempt may take. Default: 5 s. */
  readonly timeoutMs?: number;
  /** For how long a call that is awaited is repeated. Default: 10 s. */
  readonly retryForMs?: number;
  /** How many reports the queue holds. Default: 1,000. */
  readonly queueMax?: number;
  /** For how long the queue keeps a report. Default: 23 hours, as a goal that is repeated after 24 may count twice. */
  readonly queueForMs?: number;
  /** Learns of each report that the queue drops, and why. Default: a line on the console. */
  readonly onDrop?: (dropped: Dropped, error: TributaryError) => void;
  readonly fetch?: typeof globalThis.fetch;
};

/**
 * Reports to Tributary. Each call is repeated while that can help, and counts once. It resolves once Tributary has it on
 * disk, and rejects with a {@link TributaryError} otherwise. Without a visitor, goals and identities resolve at once.
 */
export interface Tributary {
  goal(goal: Goal, once?: Once): Promise<GoalAnswer | undefined>;
  identify(identity: Identity, once?: Once): Promise<IdentifyAnswer | undefined>;
  payment(payment: Payment): Promise<PaymentAnswer>;
  refund(refund: Refund): Promise<PaymentAnswer>;
  /** The same calls for those who do not wait: they return at once, and never throw. */
  readonly queue: {
    goal(goal: Goal, once?: Once): void;
    identify(identity: Identity, once?: Once): void;
    payment(payment: Payment): void;
    refund(refund: Refund): void;
    /** Sends what waits, for 10 s at most, before the process ends. Resolves with what is left. */
    flush(maxMs?: number): Promise<readonly Dropped[]>;
  };
}

const DAY_MINUS_AN_HOUR_MS = 23 * 60 * 60 * 1_000;

/** Creates a client. It opens nothing, and complains of wrong options only when it is called. */
export function createTributary(options: TributaryOptions = {}): Tributary {
  const target = {
    url: options.url ?? readVariable('TRIBUTARY_URL'),
    key: options.key ?? readVariable('TRIBUTARY_KEY'),
    timeoutMs: options.timeoutMs ?? 5_000,
    fetch: options.fetch ?? ((...asked) => globalThis.fetch(...asked)),
  };
  const onDrop = (dropped: Dropped, error: TributaryError) => {
    try {
      (options.onDrop ?? sayDropped)(dropped, error);
    } catch (thrown) {
      console.error('Tributary: onDrop failed.', thrown); // It must not end the queue.
    }
  };
  const queue = createQueue({
    max: options.queueMax ?? 1_000,
    keepForMs: options.queueForMs ?? DAY_MINUS_AN_HOUR_MS,
    send: (report) => sendReport(target, report),
    onDrop,
  });

  async function deliver<Answer>(report: Report | undefined): Promise<Answer> {
    if (report === undefined) return undefined as Answer;
    return retry(() => sendReport(target, report) as Promise<Answer>, options.retryForMs ?? 10_000);
  }

  function enqueue(toReport: () => Report | undefined, kind: Report['kind'], given: object): void {
    try {
      const report = toReport();
      if (report !== undefined) queue.add(report);
    } catch (cause) {
      const isOwn = cause instanceof TributaryError;
      const error = isOwn ? cause : new TributaryError('invalid_request', `${cause}.`, { cause });
      onDrop({ kind, subject: '', path: '', body: JSON.stringify(given, withBigInts) }, error);
    }
  }

  return {
    goal: async (goal, once) => deliver(toGoal(goal, once)),
    identify: async (identity, once) => deliver(toIdentify(identity, once)),
    payment: async (payment) => deliver(toPayment('payment', payment)),
    refund: async (refund) => deliver(toPayment('refund', refund)),
    queue: {
      goal: (goal, once) => enqueue(() => toGoal(goal, once), 'goal', goal),
      identify: (identity, once) => enqueue(() => toIdentify(identity, once), 'identify', identity),
      // Dated now: it may arrive much later.
      payment(payment) {
        const dated = { ...payment, timestamp: payment.timestamp ?? new Date().toISOString() };
        enqueue(() => toPayment('payment', dated), 'payment', payment);
      },
      refund(refund) {
        const dated = { ...refund, refunded_at: refund.refunded_at ?? new Date().toISOString() };
        enqueue(() => toPayment('refund', dated), 'refund', refund);
      },
      flush: (maxMs = 10_000) => queue.flush(maxMs),
    },
  };
}

const toGoal = (goal: Goal, once?: Once) =>
  toKeyed({ kind: 'goal', subject: goal.name, path: '/api/v1/goals' }, goal, once);

const toIdentify = (identity: Identity, once?: Once) =>
  toKeyed(
    { kind: 'identify', subject: identity.user_id, path: '/api/v1/identify' },
    identity,
    once,
  );

function toKeyed(about: Omit<Report, 'body'>, facts: Goal | Identity, once: Once = {}) {
  if (facts.service_visitor_id === undefined) return undefined;
  const { idempotencyKey = newKey() } = once;
  return { ...about, body: JSON.stringify(facts), idempotencyKey };
}

/** Node 18 has no global `crypto`. The key has to be new, not secret. */
const newKey = () => globalThis.crypto?.randomUUID() ?? `${Date.now()}-${Math.random()}`;

/** Its own id makes a payment count once. The amount is spliced in as text, as no float is exact. */
function toPayment(kind: 'payment' | 'refund', payment: Payment | Refund): Report {
  const { amount_minor: minor, amount, ...facts } = payment;
  const text = minor === undefined ? String(amount) : toMajorText(minor, facts.currency);
  if (!/^\d+(\.\d+)?(e[-+]?\d+)?$/.test(text)) {
    throw new TributaryError('invalid_amount', `The amount is ${text}.`);
  }
  const rest = JSON.stringify({ ...facts, ...(kind === 'refund' && { refunded: true }) });
  const body = `{"amount":${text},${rest.slice(1)}`;
  return { kind, subject: facts.transaction_id, path: '/api/v1/payments', body };
}

const sayDropped = ({ kind, subject }: Dropped, { message }: TributaryError) =>
  console.error(`Tributary: dropped the ${kind} ${subject}. ${message}`);

/** A variable of the environment, where the runtime has one. */
const readVariable = (name: string): string | undefined =>
  Reflect.get(globalThis, 'process')?.env?.[name];

/** JSON has no BigInt. */
const withBigInts = (_: string, value: unknown) =>
  typeof value === 'bigint' ? String(value) : value;
