import { type ProvidedPayment, toOtherIds, toStatedText } from '#domain/money/provided-payment.ts';
import type { NotedState, StatedPayment } from '#domain/money/provider-event.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { type DerivedGroup, derivePayments } from '../derive/derive-payments.ts';
import { factIdsOf, toChargeIds } from '../derive/fact-ids.ts';
import { isOfSite } from '../derive/is-of-site.ts';
import type { ProviderFact } from '../facts.ts';
import type { TakeWaiting, WaitingEvents } from '../ports.ts';
import { leaveErasedOut } from './leave-erased-out.ts';
import { findTurned, openFirstPayers, readAround, readFirstPayers } from './look-around.ts';
import { writeFacts } from './read-facts.ts';
import { findShared, type SharedGroup, tellGateway, tellShops } from './share-payments.ts';
import { translateEvent } from './translate-event.ts';

/** How many events are taken in one transaction: few enough that nobody waits long for it. */
const BATCH_EVENTS = 50;

/**
 * Takes the oldest waiting events: translates them, adds what they state to what is known, and records what that comes
 * to in the payments. All of it in one transaction, so that a crash loses and repeats nothing.
 *
 * @returns how many events it took; 0 when none waits.
 */
export function takeEvents(takeWaiting: TakeWaiting, limit = BATCH_EVENTS): Promise<number> {
  return takeWaiting(limit, takeBatch);
}

async function takeBatch(waiting: WaitingEvents): Promise<void> {
  const { events, connection } = waiting;
  const { provider, settings } = connection;
  const translated = await leaveErasedOut(
    waiting,
    events.map((event) => translateEvent(provider, settings, event)),
  );

  const stated = translated.map(({ eventId, facts }) => {
    const ids = [...new Set(facts.flatMap(factIdsOf))];
    return { eventId, facts: writeFacts(facts), ids };
  });
  const idsBefore = await waiting.findIds(events);
  const ids = [...new Set([...idsBefore, ...stated.flatMap((each) => each.ids)])];
  const payersBefore = await readFirstPayers(waiting, ids);
  await waiting.saveFacts(stated);
  const turned = findTurned(ids, payersBefore, await readFirstPayers(waiting, ids));
  const faults = await recordAll(waiting, await readAround(waiting, ids, turned));

  const noted = translated.map(({ eventId, state, error, facts, wanted }): NotedState => {
    const fault = facts.flatMap(factIdsOf).flatMap((id) => faults.get(id) ?? [])[0];
    return fault === undefined || state === 'erased'
      ? { eventId, state, error, wanted }
      : { eventId, state: 'failed', error: fault };
  });
  await waiting.noteStates(noted);
}

/** Records what facts come to. Returns what could not be recorded, by the ids of the facts. */
async function recordAll(
  waiting: WaitingEvents,
  facts: readonly ProviderFact[],
): Promise<Map<string, string[]>> {
  const { provider, settings } = waiting.connection;
  const findFirstPayer = await openFirstPayers(waiting, facts);
  const derived = derivePayments(facts, { provider, findFirstPayer });
  const ids = derived.flatMap((group) => group.ids);
  const known = await waiting.findStated(ids);
  const before = new Map(known.map((stated) => [stated.payment.transactionId, stated]));
  // What counted before its site was asked for still does, with its refunds.
  const counted = derived.filter(
    (group) => group.ids.some((id) => before.has(id)) || isOfSite(group, settings),
  );
  const groups = await findShared(waiting, counted);
  for (const group of groups) await tellGateway(waiting, group);

  const ownIds = await waiting.findOwnIds(ids);
  const changed = groups
    .map((group) => ({ ...group, before: group.ids.flatMap((each) => before.get(each) ?? []) }))
    .map(withElsewhere)
    .filter((group) => hasChanged(group, ownIds));
  const faults = await record(waiting, changed);
  await tellShops(
    waiting,
    changed.filter(({ isElsewhere }) => !isElsewhere),
  );
  return faults;
}

/** What is stated elsewhere takes the place of what was stated here. */
function withElsewhere({ elsewhere, ...group }: SharedGroup & Before): ChangedGroup {
  const others = [...group.through, elsewhere?.payment.transactionId];
  const before = group.before.filter(({ payment }) => !others.includes(payment.transactionId));
  if (elsewhere === undefined) return { ...group, before };
  return { ...group, before, payments: [elsewhere], isElsewhere: true };
}

/** A payment with the ids by which its subscription finds it. */
function toStated({ payment, foundBy, connectionId }: StatedPayment): StatedPayment {
  if (connectionId !== undefined) return { payment, foundBy, connectionId };
  return { payment, foundBy, ids: toChargeIds(payment) };
}

type Before = { readonly before: readonly StatedPayment[] };
type ChangedGroup = Omit<DerivedGroup, 'payments'> &
  Before & { readonly payments: readonly StatedPayment[]; readonly isElsewhere?: true };

function hasChanged(
  { ids, payments, before, isElsewhere }: ChangedGroup,
  ownIds: ReadonlyMap<string, string>,
): boolean {
  const after = payments.map(({ payment }) => payment);
  const others = toOtherIds(after, ids);
  if (others.some((id) => ownIds.get(id) !== after[0]?.transactionId)) return true;
  if (isElsewhere) return before.length > 0;
  const textOf = ({ payment, foundBy }: StatedPayment) => toStatedText([payment, foundBy]);
  const known = new Set(before.map(textOf));
  return payments.length !== before.length || payments.some((each) => !known.has(textOf(each)));
}

async function record(
  waiting: WaitingEvents,
  groups: readonly ChangedGroup[],
): Promise<Map<string, string[]>> {
  const faults = new Map<string, string[]>();
  if (groups.length === 0) return faults;
  const ids = groups.flatMap(({ ids: own, payments }) => [
    ...own,
    ...payments.flatMap(({ payment }) => payment.refunds.map((refund) => refund.transactionId)),
  ]);
  const provided = await waiting.beginProvided(ids);
  for (const { ids: own, before, payments, notes } of groups) {
    const after = payments.map(({ payment }) => payment);
    const taken = findTaken(waiting.connection.id, before, after);
    if (taken !== undefined) {
      for (const each of own) faults.set(`money ${each}`, [taken]);
      continue;
    }
    const stated = before.map(({ payment }) => payment);
    const found = await provided.provide({ ids: own, before: stated, after });
    if (found.length + notes.length > 0) {
      for (const each of own) faults.set(`money ${each}`, [...found, ...notes]);
    }
    if (found.length > 0) continue; // It is stated again with its next event, or by a replay.
    const isKept = (each: ProvidedPayment) =>
      after.some(({ transactionId }) => transactionId === each.transactionId);
    const gone = stated.filter((each) => !isKept(each)).map((each) => each.transactionId);
    await waiting.saveStated(gone, payments.map(toStated), own);
  }
  await provided.flush();
  return faults;
}

/** Says that an id is that of another connection's payment, which must not be lost: shops may number their orders alike. */
function findTaken(
  connectionId: string,
  before: readonly StatedPayment[],
  after: readonly ProvidedPayment[],
): string | undefined {
  const others = before.filter(({ connectionId: of = connectionId }) => of !== connectionId);
  const byId = new Map(others.map((each) => [each.payment.transactionId, each]));
  for (const payment of after) {
    const other = byId.get(payment.transactionId);
    if (other === undefined || !isOtherMoney(other.payment, payment)) continue;
    return `Payment ${payment.transactionId} is another one of connection ${other.connectionId}. If two shops number their orders alike, connect this one again with --set id_prefix=2:`;
  }
  return undefined;
}

function isOtherMoney(one: ProvidedPayment, other: ProvidedPayment): boolean {
  if (one.amountMinor === undefined || other.amountMinor === undefined) return false;
  const isSame = one.amountMinor === other.amountMinor && one.currency === other.currency;
  return !isSame || Math.abs(one.paidAt - other.paidAt) > DAY_MS;
}
