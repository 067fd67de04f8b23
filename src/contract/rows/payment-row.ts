/**
 * One row of the warehouse's `payments`.
 *
 * - Units: instants are milliseconds since 1970 in UTC. 64-bit integers are strings.
 * - Shape: missing fields are left out of the line, and become empty or 0 in the warehouse.
 */
export type PaymentRow = {
  readonly site_id: string;
  readonly kind: 'payment' | 'refund';
  readonly transaction_id: string;
  readonly original_transaction_id: string | undefined;
  readonly occurred_at: number;
  readonly paid_at: number;
  /** When it was reported; undefined in deleting rows of a payment that nobody has reported. */
  readonly accepted_at: number | undefined;
  readonly amount_minor: string;
  readonly currency: string;
  readonly visitor_id: string | undefined;
  readonly customer_id: string | undefined;
  readonly email: string | undefined;
  readonly subscription_id: string | undefined;
  readonly product: string | undefined;
  readonly provider: string | undefined;
  readonly renewal: 1 | undefined;
  /** A refund that was taken back in a dispute. */
  readonly is_dispute?: 1 | undefined;
  readonly version: string;
  /** Deletes the row's earlier version. */
  readonly is_deleted?: 1;
};

/** A row's money in the currency of its site, as add-money.ts adds it, in one of two places. */
export type SiteMoney = {
  readonly site_minor: string;
  readonly earlier_minor: string | undefined;
  readonly rate: number;
  readonly rate_source: string;
  readonly rate_days: number | undefined;
};
