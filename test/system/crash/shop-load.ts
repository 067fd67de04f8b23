import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Caller } from '../../server/caller.ts';

/** What was sent and answered, recorded by the sender alone. */
export type LoadRecord = {
  /** Path of a pageview or name of a goal, each sent once; true if acknowledged. */
  readonly acknowledgedByEvent: Map<string, boolean>;
  /** `payment ID` or `refund ID`, each sent once, with its minor units. */
  readonly moneyByLabel: Map<
    string,
    { readonly amountMinor: number; readonly acknowledged: boolean }
  >;
  /** The number of answers with each status. */
  readonly answersByStatus: Map<number, number>;
};

/** Nobody hammers a server that is down; what it refused is not sent again either. */
const AWAY_PAUSE_MS = 100;

/** A shop with visitors that reports until told to stop. Nothing is ever sent twice. */
export function startShopLoad(options: {
  /** The server's current address. */
  caller(): Caller;
  /** From 0 to 1, seeded. */
  chance(): number;
  readonly lanes: number;
  readonly pauseMaxMs: number;
}): { readonly record: LoadRecord; stop(): Promise<void> } {
  const { caller, chance, lanes, pauseMaxMs } = options;
  const record: LoadRecord = {
    acknowledgedByEvent: new Map(),
    moneyByLabel: new Map(),
    answersByStatus: new Map(),
  };
  const seenVisitors: string[] = [];
  const paid: { readonly id: string; readonly amountMinor: number }[] = [];
  let stopped = false;
  let sent = 0;

  async function run(): Promise<void> {
    while (!stopped) {
      sent += 1;
      const status = await choose()(sent);
      record.answersByStatus.set(status, (record.answersByStatus.get(status) ?? 0) + 1);
      await sleep(status === 0 ? AWAY_PAUSE_MS : chance() * pauseMaxMs);
    }
  }

  function choose(): (number: number) => Promise<number> {
    const dice = chance();
    if (seenVisitors.length === 0 || dice < 0.45) return sendPageview;
    if (dice < 0.7) return (number) => sendGoal(number);
    if (dice < 0.75) return (number) => sendGoal(number, `key-${number}`);
    if (paid.length === 0 || dice < 0.93) return sendPayment;
    return sendRefund;
  }

  const anyOf = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;

  async function sendPageview(number: number): Promise<number> {
    const visitor = seenVisitors.length > 0 && chance() < 0.5 ? anyOf(seenVisitors) : `v-${number}`;
    const path = `/page-${number}`;
    return sendEvent(
      path,
      () => caller().pageview(visitor, path),
      () => seenVisitors.push(visitor),
    );
  }

  async function sendGoal(number: number, idempotencyKey?: string): Promise<number> {
    const visitor = anyOf(seenVisitors);
    const name = `goal-${number}`;
    return sendEvent(
      name,
      () => caller().goal(visitor, name, idempotencyKey),
      () => {},
    );
  }

  async function sendEvent(
    label: string,
    send: () => Promise<Answer>,
    onAcknowledged: () => void,
  ): Promise<number> {
    record.acknowledgedByEvent.set(label, false);
    const { status } = await send();
    if (status === 200) {
      record.acknowledgedByEvent.set(label, true);
      onAcknowledged();
    }
    return status;
  }

  async function sendPayment(number: number): Promise<number> {
    const id = `t-${number}`;
    const amountMinor = 2 + Math.floor(chance() * 1_000_000);
    const facts = { transaction_id: id, service_visitor_id: anyOf(seenVisitors) };
    const status = await sendMoney(`payment ${id}`, amountMinor, facts);
    if (status === 200) paid.push({ id, amountMinor });
    return status;
  }

  async function sendRefund(): Promise<number> {
    const [payment] = paid.splice(Math.floor(chance() * paid.length), 1);
    if (payment === undefined) return 0;
    const amountMinor = 1 + Math.floor(chance() * payment.amountMinor);
    const facts = { transaction_id: payment.id, refunded: true };
    return sendMoney(`refund ${payment.id}`, amountMinor, facts);
  }

  async function sendMoney(
    label: string,
    amountMinor: number,
    facts: Readonly<Record<string, unknown>>,
  ): Promise<number> {
    record.moneyByLabel.set(label, { amountMinor, acknowledged: false });
    const amount = Number(
      `${Math.floor(amountMinor / 100)}.${`${amountMinor % 100}`.padStart(2, '0')}`,
    );
    const { status } = await caller().payment({ amount, currency: 'USD', ...facts });
    record.moneyByLabel.set(label, { amountMinor, acknowledged: status === 200 });
    return status;
  }

  const running = Array.from({ length: lanes }, run);
  return {
    record,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}
