import { createOracle, type Oracle, type PaymentFacts } from './oracle.ts';

/** An oracle that also records when it learned what. */
export interface DatedOracle extends Oracle {
  /** Its knowledge at that time: everything acknowledged by then must exist. Everything ever sent may exist. */
  asOf(at: number): Oracle;
  /** The state of each payment after its next answer: it may already apply. */
  nextPayments(at: number): Map<string, PaymentFacts>;
}

/** An oracle whose clock is `now`. */
export function createDatedOracle(now: () => number): DatedOracle {
  const live = createOracle();
  const reported: { readonly at: number; readonly report: (oracle: Oracle) => void }[] = [];
  const facts: { readonly at: number; readonly id: string; readonly facts: PaymentFacts }[] = [];

  function remember(at: number, report: (oracle: Oracle) => void): void {
    report(live);
    reported.push({ at, report });
  }

  return {
    ...live,
    get events() {
      return live.events;
    },
    get payments() {
      return live.payments;
    },
    sendEvent: (id) => remember(0, (oracle) => oracle.sendEvent(id)),
    acknowledgeEvent: (id) => remember(now(), (oracle) => oracle.acknowledgeEvent(id)),
    refuseEvent: (id) => remember(now(), (oracle) => oracle.refuseEvent(id)),
    sendPayment: (id, amountMinor) => remember(0, (oracle) => oracle.sendPayment(id, amountMinor)),
    acknowledgePayment(id, paid) {
      const at = now();
      facts.push({ at, id, facts: paid });
      remember(at, (oracle) => oracle.acknowledgePayment(id, paid));
    },
    asOf(at) {
      const oracle = createOracle();
      for (const each of reported) if (each.at <= at) each.report(oracle);
      return oracle;
    },
    nextPayments(at) {
      const next = new Map<string, PaymentFacts>();
      for (const each of facts)
        if (each.at > at && !next.has(each.id)) next.set(each.id, each.facts);
      return next;
    },
  };
}
