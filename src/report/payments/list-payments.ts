import {
  type ListedPayment,
  type ListedState,
  type PaymentsAnswer,
  UNATTRIBUTED_STATES,
} from '#contract/payments/payment-list.ts';
import type { PaidIn, PaymentPosition } from '#domain/money/known-payment.ts';
import { totalsOf } from '#domain/money/payment-record.ts';
import { PAYMENT_STATUSES } from '#domain/money/payment-status.ts';
import type { Bind } from '../dimension.ts';
import { asShown, type ReportSite, type ReportWarehouse } from '../ports.ts';
import { findMoneyNotes } from '../query/answer/find-money-notes.ts';
import { type FindOldRates, lookUp } from '../query/answer/look-up.ts';
import { EVERYTHING } from '../query/filter.ts';
import { toIso, toMoney } from '../query/shape/to-answer-row.ts';
import { type CreditRule, type PlacedPayment, placePayments } from './place-payments.ts';
import {
  createSums,
  type MeantPayments,
  matchesSql,
  type PaymentLedger,
  sumPayments,
  type Totals,
} from './sum-payments.ts';

/** Which payments to list. */
type WantedList = CreditRule &
  MeantPayments & {
    /** The state or status to list. Default: all. */
    readonly state: ListedState | undefined;
    /** Only those with a credited visit from this channel and source. Default: all. */
    readonly channel?: string | undefined;
    readonly source?: string | undefined;
  };

type PaymentsQuery = WantedList & {
  readonly limit: number;
  /** The `next_cursor` of the previous page. Default: the latest payments. */
  readonly beyond?: PaymentPosition | undefined;
  /** Whether to sum the payments by status. */
  readonly withTotals?: boolean;
};

/** Lists payments with their states. Throws if the warehouse does not answer. */
export interface ListPayments {
  list(query: PaymentsQuery): Promise<PaymentsAnswer>;
  /** All of them, the latest paid first. */
  listAll(query: WantedList): AsyncIterable<ListedPayment>;
  find(site: ReportSite, id: string, rule?: CreditRule): Promise<ListedPayment | undefined>;
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
  async function findNotes(asked: MeantPayments) {
    const { paid = {} } = asked;
    const site = asShown(asked.site);
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
  async function* walk(query: WantedList, size: number, beyond?: PaymentPosition) {
    const { site, filter, state, paid = {} } = query;
    const statuses = PAYMENT_STATUSES.filter((each) => each === state);
    for (let next = beyond; ; ) {
      const page = { beyond: next, limit: size, paid, ...(statuses.length > 0 && { statuses }) };
      const found = await ledger.listPayments(site.id, filter, page);
      yield* await placePayments(warehouse, query, found);
      const last = found.at(-1);
      if (last === undefined || found.length < size) return;
      next = last.position;
    }
  }

  /** Sums the payments in whatever state. Which visits are credited, only a walk through all of them tells. */
  async function findTotals({ state: _, ...asked }: WantedList): Promise<Totals> {
    const query = { ...asked, state: undefined };
    if (!isOfVisits(query)) return sumPayments(warehouse, ledger, query);
    const sums = createSums();
    for await (const placed of walk(query, LOOKED_AT)) {
      if (isWanted(query, placed)) sums.add(placed.payment);
    }
    return sums.totals();
  }

  return {
    async list(query) {
      const { limit, withTotals, beyond } = query;
      const [totals, notes] = await Promise.all([
        withTotals && findTotals(query),
        findNotes(query),
      ]);
      const meta = { ...(totals && { totals }), ...notes };
      const results: ListedPayment[] = [];
      let next: PaymentPosition | undefined;
      let looked = 0;
      for await (const placed of walk(query, isOfVisits(query) ? LOOKED_AT : limit + 1, beyond)) {
        looked += 1;
        if (results.length === limit || looked > LOOKED_MAX) {
          const more = next && { next_cursor: `${next.paidAt}-${next.id}` };
          return { results, meta: { ...more, ...meta } };
        }
        next = placed.payment.position;
        if (isWanted(query, placed)) results.push(toAnswer(placed));
      }
      return { results, meta };
    },
    async *listAll(query) {
      for await (const placed of walk(query, LOOKED_AT)) {
        if (isWanted(query, placed)) yield toAnswer(placed);
      }
    },
    async find(site, transactionId, rule) {
      const found = await ledger.findPayment(site.id, transactionId);
      if (found === undefined) return undefined;
      const [placed] = await placePayments(warehouse, { site, ...rule }, [found]);
      return placed && toAnswer(placed);
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

/** Whether the payments' visits decide which of them are listed. */
function isOfVisits({ state, channel, source }: WantedList): boolean {
  const isOfState = state !== undefined && !PAYMENT_STATUSES.some((status) => status === state);
  return isOfState || channel !== undefined || source !== undefined;
}

function isWanted(asked: WantedList, { payment, state, touches }: PlacedPayment): boolean {
  const { state: wanted, channel, source } = asked;
  const isOfState =
    wanted === undefined ||
    wanted === payment.status ||
    wanted === state ||
    (wanted === 'unattributed' && UNATTRIBUTED_STATES.includes(state));
  if (!isOfState || (channel === undefined && source === undefined)) return isOfState;
  return touches.some(
    (touch) =>
      touch.channel === (channel ?? touch.channel) && touch.source === (source ?? touch.source),
  );
}

function toAnswer({ payment, state, touches }: PlacedPayment): ListedPayment {
  const { position, record, transactionId, status, refunds, changes } = payment;
  const { grossMinor, refundedMinor } = totalsOf(record);
  const money = (minor: bigint) => toMoney(minor, record.currency);
  const facts = {
    service_visitor_id: record.visitorId,
    customer_id: record.customerId,
    ...{ email: record.email, name: record.name },
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
    ...toCredited(touches),
    refunds: refunds.map(({ transactionId: id, amountMinor, refundedAt, ...is }) => ({
      ...{ transaction_id: id, amount: money(amountMinor), refunded_at: toIso(refundedAt) },
      ...(is.isMatched && { matched: true as const }),
      ...(is.isDispute && { disputed: true as const }),
    })),
    changes: changes.map(({ change, by, at, before, after }) => ({
      ...{ change, by, at: toIso(at) },
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    })),
  };
}

function toCredited(touches: PlacedPayment['touches']): Pick<ListedPayment, 'credited'> {
  const [first, last] = [touches[0], touches.at(-1)];
  if (first === undefined || last === undefined) return {};
  const toVisit = ({ at, channel, source }: typeof first) => ({ at: toIso(at), channel, source });
  return { credited: { visits: touches.length, first: toVisit(first), last: toVisit(last) } };
}
