import {
  type ListedPayment,
  type ListedState,
  type PaymentState,
  type PaymentsAnswer,
  UNATTRIBUTED_STATES,
} from '#contract/payments/payment-list.ts';
import { VISIT, withFurtherTouches } from '#contract/rows/visit-row.ts';
import { LATE_TOUCH_MAX_MS } from '#domain/attribution/touch-times.ts';
import type { KnownPayment, PaidIn, PaymentPosition } from '#domain/money/known-payment.ts';
import { totalsOf } from '#domain/money/payment-record.ts';
import { PAYMENT_STATUSES, type PaymentStatus } from '#domain/money/payment-status.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { endOfStated } from '#domain/time/end-of-stated.ts';
import type { Bind } from '../dimension.ts';
import { asShown, type ReportSite, type ReportWarehouse } from '../ports.ts';
import { findMoneyNotes } from '../query/answer/find-money-notes.ts';
import { type FindOldRates, lookUp } from '../query/answer/look-up.ts';
import { EVERYTHING } from '../query/filter.ts';
import { toIso, toMoney } from '../query/shape/to-answer-row.ts';
import { type MeantPayments, matchesSql, type PaymentLedger, sumPayments } from './sum-payments.ts';

/** How long before a payment visits get its credit. Default: for ever. */
type Lookback = { readonly lookbackDays?: number | undefined };

type PaymentsQuery = Lookback &
  MeantPayments & {
    /** The state or status to list. Default: all. */
    readonly state: ListedState | undefined;
    readonly limit: number;
    /** The `next_cursor` of the previous page. Default: the latest payments. */
    readonly beyond?: PaymentPosition | undefined;
    /** Whether to sum the payments by status. */
    readonly withTotals?: boolean;
  };

/** Lists payments with their states. Throws if the warehouse does not answer. */
export interface ListPayments {
  list(query: PaymentsQuery): Promise<PaymentsAnswer>;
  find(site: ReportSite, id: string, lookback?: Lookback): Promise<ListedPayment | undefined>;
}

/** How many are checked for their state at once, and for one page. */
const LOOKED_AT = 500;
const LOOKED_MAX = 10_000;

/**
 * Creates the list of the ledger's payments, with their visitors' visits from the warehouse.
 *
 * - Shape: a page filtered by a rare state may be short or empty and still have a next page.
 */
export function createListPayments(
  warehouse: Pick<ReportWarehouse, 'select'>,
  ledger: PaymentLedger,
  findOldRates: FindOldRates = () => undefined,
): ListPayments {
  async function addStates(
    { site, lookbackDays }: Lookback & { readonly site: ReportSite },
    payments: readonly KnownPayment[],
  ) {
    const open = payments.filter((payment) => isOpen(payment.status));
    const visitors = [...new Set(open.flatMap(({ visitorIds }) => visitorIds))];
    const rows =
      visitors.length === 0
        ? []
        : await warehouse.select<Seen>({ sql: SEEN, params: { site: site.id, visitors } });
    const seen = new Map(rows.map((row) => [row.visitor_id, row]));
    return payments.map((payment) => {
      return { payment, state: stateOf(payment, seen, { timezone: site.timezone, lookbackDays }) };
    });
  }

  async function findNotes({ site: of, filter: asked, paid = {} }: MeantPayments) {
    const site = asShown(of);
    const { from = -Infinity, before = Infinity } = paid;
    const period = { startsAt: from, endsAt: before, timeZone: site.timezone };
    const noVisits = { ...period, startsAt: 0, endsAt: 0 }; // Their number takes long, and is not needed.
    const facts = await lookUp(
      warehouse,
      { site, period: noVisits },
      { isAll: false, findOldRates },
    );
    const which = (bind: Bind) => matchesSql(asked, bind);
    const query = { site, period, filter: EVERYTHING, dimensions: [], which };
    return findMoneyNotes(warehouse, query, facts);
  }

  /** Yields payments with their states, page by page. */
  async function* walk(query: PaymentsQuery) {
    const { site, filter, state, limit, beyond, paid = {} } = query;
    const statuses = PAYMENT_STATUSES.filter((each) => each === state);
    const isKnown = state === undefined || statuses.length > 0;
    const size = isKnown ? limit + 1 : LOOKED_AT;
    for (let next = beyond; ; ) {
      const page = { beyond: next, limit: size, paid, ...(statuses.length > 0 && { statuses }) };
      const found = await ledger.listPayments(site.id, filter, page);
      yield* await addStates(query, found);
      const last = found.at(-1);
      if (last === undefined || found.length < size) return;
      next = last.position;
    }
  }

  return {
    async list(query) {
      const { limit, withTotals } = query;
      const [totals, notes] = await Promise.all([
        withTotals && sumPayments(warehouse, ledger, query),
        findNotes(query),
      ]);
      const meta = { ...(totals && { totals }), ...notes };
      const results: ListedPayment[] = [];
      let next: PaymentPosition | undefined;
      let looked = 0;
      for await (const { payment, state: its } of walk(query)) {
        looked += 1;
        if (results.length === limit || looked > LOOKED_MAX) {
          const more = next && { next_cursor: `${next.paidAt}-${next.id}` };
          return { results, meta: { ...more, ...meta } };
        }
        next = payment.position;
        if (isOf(query.state, payment.status, its)) results.push(toAnswer(payment, its));
      }
      return { results, meta };
    },
    async find(site, transactionId, lookback) {
      const found = await ledger.findPayment(site.id, transactionId);
      if (found === undefined) return undefined;
      const [listed] = await addStates({ site, ...lookback }, [found]);
      return listed && toAnswer(listed.payment, listed.state);
    },
  };
}

const CURSOR = /^(\d{1,16})-(\d{1,16})$/;

/** A page's `next_cursor` as a position; undefined if it is none. Not signed: it is a place in a list that is all theirs. */
export function parsePaymentsCursor(cursor: string): PaymentPosition | undefined {
  const [, paidAt, id] = CURSOR.exec(cursor) ?? [];
  return paidAt === undefined ? undefined : { paidAt: Number(paidAt), id: Number(id) };
}

/** When a site's payments from the first day to the last were made. */
export function paidOn(
  [from, to]: readonly (Temporal.PlainDate | undefined)[],
  { timezone }: ReportSite,
): PaidIn {
  const startOf = (day?: Temporal.PlainDate) => day?.toZonedDateTime(timezone).epochMilliseconds;
  return { from: startOf(from), before: startOf(to?.add({ days: 1 })) };
}

type Seen = {
  readonly visitor_id: string;
  /** When people's touches began, in milliseconds. */
  readonly times: readonly string[];
};

const SEEN = `
SELECT visitor_id, groupArrayIf(${VISIT.touchedAt}, ${VISIT.bot_class} = '') AS times
FROM (${withFurtherTouches(
  `visits FINAL WHERE site_id = {site:String} AND visitor IN (
    SELECT cityHash64(arrayJoin({visitors:Array(String)})))`,
  '',
)})
GROUP BY visitor_id`;

/** Whether visits decide the state. */
function isOpen(status: PaymentStatus): boolean {
  return status !== 'voided' && status !== 'unmatched_refund';
}

function isOf(asked: ListedState | undefined, status: PaymentStatus, state: PaymentState): boolean {
  const isMeant = asked === undefined || asked === status || asked === state;
  return isMeant || (asked === 'unattributed' && UNATTRIBUTED_STATES.includes(state));
}

function stateOf(
  payment: KnownPayment,
  seen: ReadonlyMap<string, Seen>,
  { timezone, lookbackDays }: Lookback & Pick<ReportSite, 'timezone'>,
): PaymentState {
  const { status, position, visitorIds } = payment;
  if (status === 'voided' || status === 'unmatched_refund') return status;
  if (visitorIds.length === 0) return 'no_visitor';
  const found = visitorIds.flatMap((id) => seen.get(id) ?? []);
  const visits = found.flatMap(({ times }) => times.map(Number));
  const creditAt = endOfStated(position.paidAt, timezone);
  const from = lookbackDays === undefined ? 0 : creditAt - lookbackDays * DAY_MS;
  const upTo = visits.filter((at) => at <= creditAt + LATE_TOUCH_MAX_MS);
  if (upTo.some((at) => at >= from)) return 'attributed';
  if (upTo.length > 0) return 'visit_before_window';
  if (visits.length > 0) return 'visit_after_payment';
  return found.length > 0 ? 'bot_visitor' : 'unseen_visitor';
}

function toAnswer(payment: KnownPayment, state: PaymentState): ListedPayment {
  const { position, record, transactionId, status, refunds, changes } = payment;
  const { grossMinor, refundedMinor } = totalsOf(record);
  const money = (minor: bigint) => toMoney(minor, record.currency);
  const facts = {
    service_visitor_id: record.visitorId,
    customer_id: record.customerId,
    email: record.email,
    name: record.name,
    subscription_id: record.subscriptionId,
    product: record.product,
    provider: record.provider,
  };
  const given = Object.entries(facts).filter(([, value]) => value !== undefined);
  return {
    ...{ transaction_id: transactionId, state, status },
    ...{ amount: money(grossMinor), refunded: money(refundedMinor) },
    ...{ renewal: record.renewal, paid_at: toIso(position.paidAt) },
    ...Object.fromEntries(given),
    refunds: refunds.map(({ transactionId: id, amountMinor, refundedAt, isMatched }) => ({
      ...{ transaction_id: id, amount: money(amountMinor), refunded_at: toIso(refundedAt) },
      ...(isMatched && { matched: true as const }),
    })),
    changes: changes.map(({ change, by, at, before, after }) => ({
      ...{ change, by, at: toIso(at) },
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    })),
  };
}
