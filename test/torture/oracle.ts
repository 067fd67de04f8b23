import { type Checks, createChecks } from './row.ts';

/**
 * The record of what was sent and answered, kept by the sender.
 *
 * It knows nothing of the server's code and reads none of its files: it is given the stores' contents, id by id, and
 * says what is lost, doubled, foreign or wrong.
 */
export interface Oracle {
  /** Before an event is sent. */
  sendEvent(id: string): void;
  /** After a 2xx: from now on it must exist, once. */
  acknowledgeEvent(id: string): void;
  /** After an answer that promises that nothing was recorded. */
  refuseEvent(id: string): void;
  /** Before a payment's report is sent; a refund names the payment's id and its own amount. */
  sendPayment(id: string, amountMinor: number): void;
  acknowledgePayment(id: string, facts: PaymentFacts): void;
  /** Acknowledged so far. */
  readonly events: number;
  readonly payments: number;
  /** The faults of these events, each given with its number of rows. */
  compareEvents(found: ReadonlyMap<string, number>): EventFaults;
  /** The faults of these payments. */
  comparePayments(found: ReadonlyMap<string, PaymentFacts>): PaymentFaults;
  /** Sums of everything acknowledged. */
  sumPayments(): PaymentFacts;
}

/** Money of one payment, or of many. */
export type PaymentFacts = { readonly amountMinor: number; readonly refundedMinor: number };

/** How many events break the promise, and how. */
export type EventFaults = {
  readonly lost: number;
  readonly doubled: number;
  readonly foreign: number;
  /** Recorded although the answer said that nothing was. */
  readonly refusedButThere: number;
  /** Sent, never answered, and recorded: allowed, because the answer may have been lost. */
  readonly unansweredButThere: number;
};

/** How many payments break the promise, and how. */
export type PaymentFaults = {
  readonly lost: number;
  readonly foreign: number;
  readonly wrongAmount: number;
};

type State = 'sent' | 'acknowledged' | 'refused';

/** A new, empty oracle. */
export function createOracle(): Oracle {
  const stateByEvent = new Map<string, State>();
  const sentPayments = new Map<string, number>();
  const factsByPayment = new Map<string, PaymentFacts>();
  let events = 0;
  return {
    sendEvent: (id) => void stateByEvent.set(id, 'sent'),
    acknowledgeEvent(id) {
      if (stateByEvent.get(id) !== 'acknowledged') events += 1;
      stateByEvent.set(id, 'acknowledged');
    },
    refuseEvent: (id) => void stateByEvent.set(id, 'refused'),
    sendPayment: (id, amountMinor) => void sentPayments.set(id, amountMinor),
    acknowledgePayment: (id, facts) => void factsByPayment.set(id, facts),
    get events() {
      return events;
    },
    get payments() {
      return factsByPayment.size;
    },
    compareEvents: (found) => compareEvents(stateByEvent, found),
    comparePayments(found) {
      const isWrong = ([id, facts]: [string, PaymentFacts]) => {
        const there = found.get(id);
        return (
          there !== undefined &&
          (there.amountMinor !== facts.amountMinor || there.refundedMinor !== facts.refundedMinor)
        );
      };
      return {
        lost: [...factsByPayment.keys()].filter((id) => !found.has(id)).length,
        foreign: [...found.keys()].filter((id) => !sentPayments.has(id)).length,
        wrongAmount: [...factsByPayment].filter(isWrong).length,
      };
    },
    sumPayments() {
      let [amountMinor, refundedMinor] = [0, 0];
      for (const facts of factsByPayment.values()) {
        amountMinor += facts.amountMinor;
        refundedMinor += facts.refundedMinor;
      }
      return { amountMinor, refundedMinor };
    },
  };
}

function compareEvents(
  stateByEvent: ReadonlyMap<string, State>,
  found: ReadonlyMap<string, number>,
): EventFaults {
  let [lost, refusedButThere, unansweredButThere] = [0, 0, 0];
  for (const [id, state] of stateByEvent) {
    const isThere = found.has(id);
    if (state === 'acknowledged' && !isThere) lost += 1;
    if (state === 'refused' && isThere) refusedButThere += 1;
    if (state === 'sent' && isThere) unansweredButThere += 1;
  }
  return {
    lost,
    refusedButThere,
    unansweredButThere,
    doubled: [...found.values()].filter((rows) => rows > 1).length,
    foreign: [...found.keys()].filter((id) => !stateByEvent.has(id)).length,
  };
}

/** The checks of events in every row that has some. */
export function checkEvents(faults: EventFaults, checks: Checks = createChecks()): Checks {
  checks.equal('no acknowledged event is lost', faults.lost, 0);
  checks.equal('no event is there twice', faults.doubled, 0);
  checks.equal('no event is there that was not sent', faults.foreign, 0);
  checks.equal('no event is there whose request was refused', faults.refusedButThere, 0);
  return checks;
}
