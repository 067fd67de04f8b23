import type { OptionalFacts } from '../money/payment-record.ts';
import type { Join, StatedIdentity, Subject } from './person.ts';

/** Everything on record about one visitor or person. */
export type KnownPerson = {
  readonly subject: Subject;
  /** Why each visitor belongs to the person; empty for a single visitor. */
  readonly joins: readonly Join[];
  /** Their payments and refunds, earliest first. */
  readonly payments: readonly PaymentOfPerson[];
  readonly identities: readonly StatedIdentity[];
};

/** A payment of a person, or a refund with its own id. Amounts are in minor units; instants in milliseconds. */
export type PaymentOfPerson = OptionalFacts & {
  readonly transactionId: string;
  /** Of a refund: the payment that it takes back. */
  readonly originalTransactionId: string | undefined;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly refundedMinor: bigint | undefined;
  readonly renewal: boolean;
  readonly paidAt: number;
};
