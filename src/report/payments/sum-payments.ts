import type { PaymentsAnswer } from '#contract/payments/payment-list.ts';
import type {
  KnownPayment,
  PaidIn,
  PaymentFilter,
  PaymentSum,
  WantedPayments,
} from '#domain/money/known-payment.ts';
import { totalsOf } from '#domain/money/payment-record.ts';
import type { PaymentStatus } from '#domain/money/payment-status.ts';
import type { Bind } from '../dimension.ts';
import type { ReportSite, ReportWarehouse } from '../ports.ts';
import { toMoney } from '../query/shape/to-answer-row.ts';
import { all, createBindings, ofSite, within } from '../query/sql/rows.ts';

/** The payments on record, as reports need them. */
export interface PaymentLedger {
  /** Payments, the latest paid first. */
  listPayments(
    siteId: string,
    filter: PaymentFilter,
    page: WantedPayments,
  ): Promise<readonly KnownPayment[]>;
  /** Sums unmatched refunds and voided payments, which count nowhere, by status and currency. */
  sumUncounted(siteId: string, filter: PaymentFilter, paid: PaidIn): Promise<readonly PaymentSum[]>;
  /** Finds a payment by its own id, or by the id of its refund. */
  findPayment(siteId: string, transactionId: string): Promise<KnownPayment | undefined>;
}

/** Sums by status and currency. */
export type Totals = NonNullable<PaymentsAnswer['meta']['totals']>;

/** Which of a site's payments are meant: those that match a filter, paid at some time, by default any. */
export type MeantPayments = {
  readonly site: ReportSite;
  readonly filter: PaymentFilter;
  readonly paid?: PaidIn;
};

type Row = Readonly<Record<'currency' | 'payments' | 'amountMinor' | 'refundedMinor', string>> & {
  readonly status: PaymentStatus;
};

/**
 * Sums payments by status and currency, with their refunds, whenever made.
 *
 * Why the warehouse sums all but those that count nowhere, which it does not have: it sums millions without holding up writes.
 */
export async function sumPayments(
  warehouse: Pick<ReportWarehouse, 'select'>,
  ledger: Pick<PaymentLedger, 'sumUncounted'>,
  meantPayments: MeantPayments,
): Promise<Totals> {
  const { site, filter, paid = {} } = meantPayments;
  const { bind, params } = createBindings();
  const period = { startsAt: paid.from ?? -Infinity, endsAt: paid.before ?? Infinity };
  const meant = all(within('occurred_at', { site, period }, bind), matchesSql(meantPayments, bind));
  const sql = `
    SELECT multiIf(amount_minor = 0, 'trial', taken = 1, 'disputed', minor >= amount_minor,
        'refunded', minor > 0, 'partly_refunded', renewal = 1, 'renewal', 'paid') AS status,
      currency, count() AS payments, toString(sum(toInt128(amount_minor))) AS amountMinor,
      toString(sum(toInt128(minor))) AS refundedMinor
    FROM (SELECT * FROM payments FINAL WHERE ${meant} AND kind = 'payment') AS paid
    LEFT JOIN (
      SELECT original_transaction_id AS refunded, sum(amount_minor) AS minor, max(is_dispute) AS taken
      FROM payments FINAL WHERE ${ofSite({ site }, bind)} AND kind = 'refund' GROUP BY refunded
    ) AS back ON paid.transaction_id = back.refunded
    GROUP BY status, currency ORDER BY status, currency`;
  const rows = await warehouse.select<Row>({ sql, params });
  const uncounted = await ledger.sumUncounted(site.id, filter, paid);
  return [...rows, ...uncounted].map(toTotal);
}

function toTotal({ status, currency, ...sum }: Row | PaymentSum): Totals[number] {
  return {
    ...{ status, payments: Number(sum.payments) },
    amount: toMoney(BigInt(sum.amountMinor), currency),
    refunded: toMoney(BigInt(sum.refundedMinor), currency),
  };
}

/** Sums payments one by one, as {@link sumPayments} does. */
export function createSums() {
  const sums = new Map<string, PaymentSum>();
  return {
    add({ status, record }: KnownPayment): void {
      const { currency } = record;
      const key = `${status} ${currency}`;
      const { grossMinor, refundedMinor } = totalsOf(record);
      const sum = sums.get(key);
      sums.set(key, {
        ...{ status, currency, payments: (sum?.payments ?? 0n) + 1n },
        amountMinor: (sum?.amountMinor ?? 0n) + grossMinor,
        refundedMinor: (sum?.refundedMinor ?? 0n) + refundedMinor,
      });
    },
    totals: (): Totals =>
      [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => toTotal(sum)),
  };
}

const SEARCHED = ['transaction_id', 'visitor_id', 'customer_id', 'subscription_id', 'product'];

/** SQL condition for rows of `payments` that match a filter. */
export function matchesSql({ site, filter }: MeantPayments, bind: Bind): string {
  const is = (column: string, value?: string) => value && `${column} = ${bind(value, 'String')}`;
  return all(
    is('visitor_id', filter.visitorId),
    is('customer_id', filter.customerId),
    is('email', filter.email),
    is('subscription_id', filter.subscriptionId),
    is('product', filter.product),
    is('provider', filter.provider),
    filter.search && hasText(filter.search, bind),
    filter.refunded && wasRefunded(site, filter.refunded, bind),
  );
}

function hasText({ text, isPersonal }: NonNullable<PaymentFilter['search']>, bind: Bind): string {
  const columns = [...SEARCHED, ...(isPersonal ? ['email'] : [])];
  const has = (column: string) => `positionCaseInsensitive(${column}, ${bind(text, 'String')}) > 0`;
  return `(${columns.map(has).join(' OR ')})`;
}

function wasRefunded(site: ReportSite, { from, before }: PaidIn, bind: Bind): string {
  const period = { startsAt: from ?? -Infinity, endsAt: before ?? Infinity };
  return `if(kind = 'refund', original_transaction_id, transaction_id) IN (
    SELECT original_transaction_id FROM payments FINAL
    WHERE ${within('occurred_at', { site, period }, bind)} AND kind = 'refund')`;
}
