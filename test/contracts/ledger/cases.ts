import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { Ledger } from '#ledger/open-ledger.ts';

/** A ledger that the cases of a room share. */
export type LedgerOfContract = {
  ledger: Ledger;
  readonly location: string;
  /** Whether a thread owns it, as in a server. */
  readonly hasThread: boolean;
  /** Adds a site, so that no case sees the records of another. */
  addSite(): Promise<string>;
  /** Closes it, and opens it as the next start of the program does. */
  reopen(): Promise<void>;
};

/** Proves a rule with a new site. */
export type Rule = (own: LedgerOfContract, siteId: string) => Promise<void>;

/** The rules of each member of a port. A member without any does not compile. */
export type CasesOf<Port> = {
  readonly [Member in keyof Port]-?: Readonly<Record<string, Rule>>;
};

/** How many requests come at once. */
export const MANY = 64;

/** A payment as a backend reports it. */
export const pays = (transactionId: string, facts: Partial<PaymentReport> = {}): PaymentReport => ({
  ...{ transactionId, amountMinor: 2999n, currency: 'EUR', renewal: false, refunded: false },
  ...{ receivedAt: 1, ...facts },
});

/** A row as an object like others. */
export const toPlain = <T extends object>(row: T): T => ({ ...row });

/** Asks many times at once. Returns how many outcomes are of each kind. */
export async function countAtOnce(
  work: () => Promise<{ readonly kind: string }>,
): Promise<Record<string, number>> {
  const outcomes = await Promise.all(Array.from({ length: MANY }, work));
  const kinds = Map.groupBy(outcomes, ({ kind }) => kind);
  return Object.fromEntries([...kinds].map(([kind, of]) => [kind, of.length]));
}
