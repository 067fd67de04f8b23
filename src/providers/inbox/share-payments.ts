import type { StatedPayment } from '#domain/money/provider-event.ts';
import type { HistoryEntry } from '#domain/money/walk.ts';
import type { DerivedGroup } from '../derive/derive-payments.ts';
import { toThroughId } from '../derive/fact-ids.ts';
import type { PaymentFact } from '../facts.ts';
import type { StatedElsewhere, WaitingEvents } from '../ports.ts';
import { toEntryName } from './entry-name.ts';
import { writeFacts } from './read-facts.ts';

/** A group whose money another connection of the site states: a shop's order that was paid through a gateway. */
export type SharedGroup = DerivedGroup & { readonly elsewhere?: StatedElsewhere };

/**
 * Finds the groups whose money a gateway states, which is connected too. The gateway's statement counts, with its refunds
 * and disputes.
 */
export async function findShared(
  waiting: Pick<WaitingEvents, 'findElsewhere'>,
  groups: readonly DerivedGroup[],
): Promise<SharedGroup[]> {
  const known = await waiting.findElsewhere(groups.flatMap(({ through }) => through));
  return groups.map((group) => {
    const stated = group.through.map((id) => known.get(id));
    const elsewhere = stated.find((each) => each?.payment.amountMinor !== undefined);
    return elsewhere === undefined ? group : { ...group, elsewhere };
  });
}

/** Tells a gateway's connection what the shop knows of its payment: who paid, and for what. */
export async function tellGateway(
  waiting: Pick<WaitingEvents, 'tell'>,
  { payments, elsewhere }: SharedGroup,
): Promise<void> {
  const [own] = payments;
  if (own === undefined || elsewhere === undefined) return;
  const { transactionId: id, amountMinor = 0n, currency, paidAt } = elsewhere.payment;
  const { renewal: recurring, subscriptionId, product } = own.payment;
  const { visitorId, customerId, email, name } = own.payment;
  const fact: PaymentFact = {
    ...{ fact: 'payment', id, amount: { minor: amountMinor, currency }, paidAt, recurring },
    ...{ subscriptionId, product, visitorId, customerId, email, name },
  };
  await waiting.tell(elsewhere.connectionId, [toEntry(own.payment.transactionId, id, fact)]);
}

/** Lets shops look again at their orders that were paid through this gateway, which counts them from now on. */
export async function tellShops(
  waiting: Pick<WaitingEvents, 'findOthersWith' | 'tell'>,
  groups: readonly {
    readonly ids: readonly string[];
    readonly payments: readonly StatedPayment[];
  }[],
): Promise<void> {
  const paid = groups.filter(({ payments }) => payments[0]?.payment.amountMinor !== undefined);
  const idsByThrough = new Map(
    paid.flatMap(({ ids }) => ids).map((id) => [toThroughId(id), id] as const),
  );
  for (const { connectionId, id } of await waiting.findOthersWith([...idsByThrough.keys()])) {
    const money = idsByThrough.get(id) ?? '';
    await waiting.tell(connectionId, [toEntry(money, money, { fact: 'link', sameMoney: [money] })]);
  }
}

function toEntry(
  name: string,
  moneyId: string,
  fact: Parameters<typeof writeFacts>[0][number],
): HistoryEntry {
  const facts = writeFacts([fact]);
  return { ...toEntryName('other connections', name), facts, moneyIds: [moneyId] };
}
