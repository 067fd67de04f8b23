import type { PaymentRequest } from '#contract/payments/payment.ts';
import type { CellFault, Row } from '../csv/read-table.ts';

/** A payment or refund as `POST /api/v1/payments` takes it. Amounts are texts. */
export type PaymentFields = {
  readonly [Field in keyof PaymentRequest]?: string | boolean | undefined;
};

/** What a line says: reports of payments and refunds, and what is wrong with it; or why it is left out. */
export type Reading =
  | {
      readonly kind: 'reports';
      readonly reports: readonly PaymentFields[];
      readonly faults: readonly CellFault[];
    }
  | { readonly kind: 'left_out'; readonly because: string };

/** How a file says what it leaves open. */
export type ReadingOptions = {
  readonly dates?: 'day-first' | 'month-first' | undefined;
  readonly amounts?: 'units' | 'minor' | undefined;
};

/** A layout of a file with payments. */
export type Format = {
  readonly name: 'tributary' | 'stripe' | 'paddle' | 'paypal';
  readonly title: string;
  /** Columns by which it is told apart; of alternatives, one. */
  readonly required: readonly (readonly string[])[];
  /** Other columns that are read. */
  readonly optional: readonly string[];
  /** In which column each field is found. */
  readonly columns: { readonly [Field in keyof PaymentRequest]?: string };
  /** What a file may leave open. Lines are looked through until one tells. */
  readonly leavesOpen?: {
    readonly option: keyof ReadingOptions;
    /** What a line tells. Undefined if it has nothing to do with it. */
    find(row: Row): ReadingOptions[keyof ReadingOptions] | 'unclear';
    /** What must be said if no line tells. */
    readonly otherwise: string;
  };
  read(row: Row, options: ReadingOptions): Reading;
};

/** Makes a reading that a line is left out of. */
export function leftOut(because: string): Reading {
  return { kind: 'left_out', because };
}

/** Makes a reading that is one fault. */
export function faulty(column: string, message: string): Reading {
  return { kind: 'reports', reports: [], faults: [{ column, message }] };
}
