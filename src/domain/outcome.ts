import type { EarlierAnswer } from './claim.ts';

/** Facts that are known only after recording a report. */
export type FoundFacts = {
  /** The payment that a refund naming none was matched to, for good. */
  readonly matchedTo?: string | undefined;
  /** Whether a refund naming no payment was matched to none. */
  readonly isUnmatched?: boolean;
  /** The payment that a refund names, and whether it is reported. */
  readonly refundOf?: { readonly transactionId: string; readonly isKnown: boolean };
  /** Whether a visitor is recorded whom this report does not name. */
  readonly hasOtherVisitor?: boolean;
  /** Whether the recorded visitor, or that there is none, was set by hand. */
  readonly isVisitorCorrected?: boolean;
};

/** The outcome of a payment report. */
export type PaymentOutcome =
  | ({
      readonly kind: 'recorded' | 'unchanged';
      /** Nobody has reported this transaction before. Said of what files report. */
      readonly isFirst?: true;
    } & FoundFacts)
  | { readonly kind: 'transaction_conflict'; readonly message: string };

/** The outcome of recording events. */
export type EventsOutcome =
  | {
      readonly kind: 'recorded' | 'unchanged';
      /** Indexes of events that name a different user id than their visitor has. They are not recorded. */
      readonly conflicts?: readonly number[];
    }
  | EarlierAnswer;
