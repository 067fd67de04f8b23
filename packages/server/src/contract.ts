// Made from src/contract by `node scripts/make-package-types.ts`.

/** Unknown fields are ignored. */
export type GoalRequest = {
  /** The visitor's id: the value of the cookie `service_visitor_id`. */
  readonly service_visitor_id: string;
  /** Name of the goal: lowercase letters, digits, underscores and hyphens only. */
  readonly name: string;
  /** Custom parameters. HTML and script content is removed from values. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
};

/** The goal is recorded. */
export type GoalAnswer = {
  readonly status: 'success';
  readonly data: ReadonlyArray<{
    readonly message: string;
    /** A UUID version 7. */
    readonly eventId: string;
  }>;
};

/** Unknown fields are ignored. */
export type IdentifyRequest = {
  /** The visitor's id: the value of the cookie `service_visitor_id`. */
  readonly service_visitor_id: string;
  /** Your own identifier of the logged-in user. Visitors with the same `user_id` are one person. */
  readonly user_id: string;
  /** The user's e-mail address. Compared in lower case, also with the e-mail addresses of payments. */
  readonly email?: string | undefined;
  /** Other traits. An `email` counts as the field `email`. */
  readonly traits?: Readonly<Record<string, string>> | undefined;
};

/** The identity is recorded. */
export type IdentifyAnswer = {
  readonly status: 'success';
  readonly data: ReadonlyArray<{
    readonly message: string;
    /** A UUID version 7. */
    readonly eventId: string;
  }>;
};

/** Unknown fields are ignored. Optional fields that are `null` or empty count as absent. Duplicate fields are refused. */
export type PaymentRequest = {
  /** Amount in units of the currency, read exactly from its decimal text. Extra decimals are rounded half up. 0 is a trial. */
  readonly amount: number;
  /** ISO 4217 code, in any case. */
  readonly currency: string;
  /** The payment provider's identifier of the payment. Unique within the site for ever. A number is its digits. */
  readonly transaction_id: string;
  /** The visitor's id: the value of the cookie `service_visitor_id`. */
  readonly service_visitor_id?: string | undefined;
  /** The customer's e-mail address. */
  readonly email?: string | undefined;
  /** Another name of `email`. */
  readonly customer_email?: string | undefined;
  /** The customer's name. */
  readonly name?: string | undefined;
  /** Another name of `name`. */
  readonly customer_name?: string | undefined;
  /** The payment provider's identifier of the customer. A number is its digits. */
  readonly customer_id?: string | undefined;
  /** Whether this is a recurring payment. */
  readonly renewal?: boolean | undefined;
  /** Whether the amount was paid back. An amount below the payment states the total paid back so far; the largest of several reports counts. To add up separate refunds, give each its own `transaction_id` and name the payment in `original_transaction_id`. */
  readonly refunded?: boolean | undefined;
  /** When it was paid. Default: the time of the request. ISO 8601; without an offset, in the site's time zone. A number is seconds or milliseconds since 1970. */
  readonly timestamp?: string | undefined;
  /** When it was paid back. Default: the time of the request. ISO 8601; without an offset, in the site's time zone. A number is seconds or milliseconds since 1970. */
  readonly refunded_at?: string | undefined;
  /** The payment that this refund pays back, if the refund has its own `transaction_id`. */
  readonly original_transaction_id?: string | undefined;
  /** The subscription that the payment belongs to. */
  readonly subscription_id?: string | undefined;
  /** The product that was paid for. */
  readonly product?: string | undefined;
};

/** The payment is recorded. */
export type PaymentAnswer = {
  /** Says whether the payment could be attributed to a visitor. */
  readonly message: string;
  readonly transaction_id: string;
};

/** Fault */
export type Fault = {
  /** JSON pointer to the fault. */
  readonly path: string;
  readonly message: string;
};

/** Every error has the same shape. `type` is one of these: */
export type ErrorAnswer = {
  readonly status: 'error';
  readonly error: {
    /** The HTTP status. */
    readonly code: number;
    readonly type:
      | 'invalid_json'
      | 'invalid_request'
      | 'bot_visitor'
      | 'unauthorized'
      | 'forbidden'
      | 'visitor_not_found'
      | 'not_found'
      | 'method_not_allowed'
      | 'request_timeout'
      | 'transaction_conflict'
      | 'idempotency_conflict'
      | 'request_too_large'
      | 'unsupported_media_type'
      | 'rate_limited'
      | 'headers_too_large'
      | 'internal'
      | 'unavailable';
    readonly message: string;
    readonly details: ReadonlyArray<{
      /** JSON pointer to the fault. */
      readonly path: string;
      readonly message: string;
    }>;
    readonly request_id: string;
  };
};

/** Every error type of the API. */
export type ErrorType = ErrorAnswer['error']['type'];

/** The decimals of currencies that have not two. Source: ISO 4217. */
export const DECIMALS_BY_CURRENCY: Readonly<Record<string, number>> = {
  BHD: 3,
  BIF: 0,
  BYR: 0,
  CLF: 4,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  IQD: 3,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  PYG: 0,
  RWF: 0,
  TND: 3,
  UGX: 0,
  UYI: 0,
  UYW: 4,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
};
