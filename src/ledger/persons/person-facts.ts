import type { PersonKey } from '#domain/identity/person.ts';
import { isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';
import { type OptionalFacts, paidAtOf } from '#domain/money/payment-record.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';
import type { RecordedPayment } from '../payments/project-payment.ts';
import { createPersonBook } from './person-book.ts';
import type { AnyKey } from './person-graph.ts';
import { readSeparations } from './separations.ts';
import { proposeLeader } from './subscription-leaders.ts';

/** Applies facts of the ledger to the identity graph. */
export type PersonFacts = ReturnType<typeof createPersonFacts>;

/** A payment with what of persons is known about it before it is taken. */
export type PreparedPayment = {
  readonly payment: RecordedPayment;
  /** The keys that each of its reports joins. */
  readonly joins: readonly (readonly PersonKey[])[];
  /** The key by which it finds its person. */
  readonly leader: PersonKey | undefined;
};

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
  async function putTransaction({ payment, leader }: PreparedPayment): Promise<void> {
    const { siteId, transactionId, record } = payment;
    const { visitorId, subscriptionId } = record;
    if (visitorId !== undefined) {
      if (!(await book.isFollowing(siteId, transactionId))) return;
    } else if (subscriptionId !== undefined) {
      if (await book.followSubscription(siteId, transactionId, subscriptionId)) return;
    }
    if (leader !== undefined) await book.follow(siteId, 'transaction', transactionId, leader);
  }

  /** Reads at once what is known about keys. Returns what leaves out those from which visitors were separated. */
  async function prepare(
    siteId: string,
    keys: readonly PersonKey[],
    followers: readonly AnyKey[] = [],
  ) {
    await book.load(siteId, [...keys, ...followers]);
    return readSeparations(sql, siteId, keys);
  }

  /** Reads what is known about payments of a site, all at once. */
  async function readOf(siteId: string, payments: readonly RecordedPayment[]) {
    const stated = payments.map((payment) => {
      const reports = [payment.record, ...payment.refunds.map((refund) => refund.record)];
      return { payment, keys: reports.map(toJoiningKeys) };
    });
    const followers = payments.flatMap(({ transactionId, record: { subscriptionId } }) => [
      { kind: 'transaction' as const, key: transactionId },
      ...(subscriptionId ? [{ kind: 'subscription' as const, key: subscriptionId }] : []),
    ]);
    const withoutSeparated = await prepare(
      siteId,
      stated.flatMap(({ keys }) => keys.flat()),
      followers,
    );
    return stated.map(({ payment, keys }): PreparedPayment => {
      return { payment, joins: keys.map(withoutSeparated), leader: keys[0]?.[0] };
    });
  }

  return {
    book,
    /** Applies rows of `identities`. Unproven browser claims never join. */
    async takeIdentities(rows: readonly SqlRow[]): Promise<void> {
      const proven = rows.filter(({ proof }) => proof !== 'claim');
      for (const [siteId, of] of Map.groupBy(proven, (row) => String(row.site_id))) {
        const stated = of.map((row) =>
          toJoiningKeys({
            visitorId: String(row.visitor_id),
            userId: String(row.user_id),
            email: String(row.email),
          }),
        );
        const withoutSeparated = await prepare(siteId, stated.flat());
        for (const keys of stated) await book.join(siteId, withoutSeparated(keys));
      }
    },
    /** Reads what is known about payments before they are taken, one after the other, in the order of their versions. */
    async read(payments: readonly RecordedPayment[]): Promise<PreparedPayment[]> {
      const known: PreparedPayment[] = [];
      for (const [siteId, of] of Map.groupBy(payments, (payment) => payment.siteId)) {
        known.push(...(await readOf(siteId, of)));
      }
      return known.sort((a, b) => a.payment.version - b.payment.version);
    },
    async takePayment(known: PreparedPayment): Promise<void> {
      const { payment, joins, leader } = known;
      if (payment.record.voidedAt !== undefined) return;
      for (const keys of joins) if (keys.length > 1) await book.join(payment.siteId, keys);
      if (leader !== undefined) await propose(payment, leader);
      await putTransaction(known);
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
