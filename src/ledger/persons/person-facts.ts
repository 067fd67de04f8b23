import type { PersonKey } from '#domain/identity/person.ts';
import { isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';
import { type OptionalFacts, paidAtOf } from '#domain/money/payment-record.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';
import type { RecordedPayment } from '../payments/project-payment.ts';
import { createPersonBook } from './person-book.ts';
import { withoutSeparated } from './separations.ts';
import { proposeLeader } from './subscription-leaders.ts';

/** Applies facts of the ledger to the identity graph. */
export type PersonFacts = ReturnType<typeof createPersonFacts>;

/** Creates the facts for a transaction. */
export function createPersonFacts(sql: Sql) {
  const book = createPersonBook(sql);
  async function propose(
    { siteId, transactionId, record }: RecordedPayment,
    leader: PersonKey,
  ): Promise<void> {
    if (record.subscriptionId === undefined) return;
    const paidAt = paidAtOf(record) ?? Number.MAX_SAFE_INTEGER;
    await proposeLeader({ sql, book }, siteId, record.subscriptionId, {
      ...leader,
      paidAt,
      transactionId,
    });
  }

  /** A payment with a visitor needs no entry, unless it had one before. */
  async function putTransaction(
    { siteId, transactionId, record }: RecordedPayment,
    leader: PersonKey | undefined,
  ): Promise<void> {
    const { visitorId, subscriptionId } = record;
    if (visitorId !== undefined) {
      if (!(await book.isFollowing(siteId, transactionId))) return;
    } else if (subscriptionId !== undefined) {
      if (await book.followSubscription(siteId, transactionId, subscriptionId)) return;
    }
    if (leader !== undefined) await book.follow(siteId, 'transaction', transactionId, leader);
  }

  return {
    book,
    /** Applies a row of `identities`. Unproven browser claims never join. */
    async takeIdentity(row: SqlRow): Promise<void> {
      if (row.proof === 'claim') return;
      const facts = {
        visitorId: String(row.visitor_id),
        userId: String(row.user_id),
        email: String(row.email),
      };
      const siteId = String(row.site_id);
      await book.join(siteId, await withoutSeparated(sql, siteId, toJoiningKeys(facts)));
    },
    async takePayment(payment: RecordedPayment): Promise<void> {
      const { siteId, record, refunds } = payment;
      if (record.voidedAt !== undefined) return;
      for (const named of [record, ...refunds.map((refund) => refund.record)]) {
        const keys = await withoutSeparated(sql, siteId, toJoiningKeys(named));
        if (keys.length > 1) await book.join(siteId, keys);
      }
      const [leader] = toJoiningKeys(record);
      if (leader !== undefined) await propose(payment, leader);
      await putTransaction(payment, leader);
    },
  };
}

type Facts = Partial<Pick<OptionalFacts, 'visitorId' | 'customerId' | 'email'>> & {
  readonly userId?: string;
};

/** Joining keys in the order in which a payment finds its person, without placeholders. */
export function toJoiningKeys({ visitorId, userId, customerId, email }: Facts): PersonKey[] {
  const keys = { visitor: visitorId, user: userId, customer: customerId, email };
  return (['visitor', 'user', 'customer', 'email'] as const).flatMap((kind) => {
    const key = keys[kind];
    return key && !isPlaceholderKey(kind, key) ? [{ kind, key }] : [];
  });
}
