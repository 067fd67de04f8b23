/**
 * What a provider's event states, in our words. An event states any number of facts, and several events may state the
 * same one: facts are merged by their ids, in any order.
 *
 * - Units: instants are milliseconds since 1970 in UTC; amounts are whole minor units of ISO 4217, whatever the
 *   provider's own units are.
 */
export type ProviderFact = PaymentFact | RefundFact | DisputeFact | LinkFact;

/** Money of one currency. */
export type FactAmount = { readonly minor: bigint; readonly currency: string };

/** Who paid, as far as an event says. */
export type Payer = {
  readonly visitorId?: string | undefined;
  /** The site that was paid, as a shop names it whose account several sites share. */
  readonly site?: string | undefined;
  readonly customerId?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
};

/** A successful payment, or a trial if its amount is 0. */
export type PaymentFact = Payer & {
  readonly fact: 'payment';
  /** The provider's id of the money, by which its other events are merged. */
  readonly id: string;
  /** Ids of other objects that stand for the same money, such as its charge, invoice and checkout. */
  readonly aliases?: readonly string[];
  readonly amount: FactAmount;
  readonly paidAt: number;
  /**
   * Whether the provider charged it by itself: a renewal, unless it is the first charge after a trial. `unless_first`:
   * the event does not say, so it is a renewal unless it is the first charge of its subscription. Of several events
   * that state the payment, `true` counts before `unless_first`, and that before `false`.
   */
  readonly recurring: boolean | 'unless_first';
  readonly subscriptionId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly product?: string | undefined;
  /** What the gateway that took a shop's money calls it. It counts once, by the gateway if that is connected too. */
  readonly through?: string | undefined;
  /**
   * Which of two objects this is, where a bill (a Stripe invoice) and the money that paid it (its charge) are events of
   * their own and may not name each other. A bill and money without the other are one payment if customer, amount and
   * currency agree and their times are near. The money's id, amount and time count, where both are known.
   */
  readonly twin?: 'bill' | 'money' | undefined;
  /** The provider's own rate to another currency, if it converted the money. */
  readonly rate?: { readonly to: string; readonly rate: string } | undefined;
};

/** Money given back. With the id of the payment itself, the amount is all that was given back so far. */
export type RefundFact = {
  readonly fact: 'refund';
  readonly id: string;
  /** The payment's id, or one of its aliases. */
  readonly of: string;
  readonly amount: FactAmount;
  readonly at: number;
  /** `undone`: it failed or was reversed after all. It is final, whatever order events come in. */
  readonly state: 'done' | 'undone';
};

/**
 * A dispute (chargeback). It lowers revenue while it is open and when it is lost. Of several states, a final one counts
 * before `open`, and a later one before an earlier one.
 */
export type DisputeFact = {
  readonly fact: 'dispute';
  readonly id: string;
  readonly of: string;
  /** Undefined if the event does not say it: then it is the whole payment. */
  readonly amount?: FactAmount | undefined;
  readonly at: number;
  readonly state: 'open' | 'won' | 'lost';
};

/** Ids that belong together, and whom they belong to. Says nothing about money. */
export type LinkFact = Payer & {
  readonly fact: 'link';
  /** Ids of the same money: a checkout, its order, its payment. */
  readonly sameMoney?: readonly string[];
  readonly subscriptionId?: string | undefined;
  readonly orderId?: string | undefined;
  /** As of a payment. */
  readonly through?: string | undefined;
};

/** What came of an event. Types that nobody knows are kept and counted. */
export type Translation =
  | { readonly kind: 'facts'; readonly facts: readonly ProviderFact[] }
  /** Says nothing about money or people, with the reason. */
  | { readonly kind: 'ignored'; readonly why: string }
  | { readonly kind: 'unknown' }
  /** Is not what the provider documents. The event is kept, and can be replayed after a fix. */
  | { readonly kind: 'failed'; readonly why: string }
  /**
   * Names an object that has to be fetched from the provider's API, such as a thin event. The backfill reads the answer
   * as a page of the list.
   */
  | {
      readonly kind: 'fetch';
      readonly list: string;
      readonly path: string;
      readonly without: string;
    };
