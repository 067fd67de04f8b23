import type { ProvidedPayment } from '#domain/money/provided-payment.ts';
import { beginProvided } from '#ledger/commit/provide-payments.ts';
import { findIds, findTogether, saveFacts } from '#ledger/connections/fact-store.ts';
import {
  findWaiting,
  type InboxEvent,
  type NotedState,
  noteStates,
  purgeEvents,
} from '#ledger/connections/inbox.ts';
import {
  findOwnIds,
  findStated,
  saveStated,
  toOtherIds,
  toStatedText,
} from '#ledger/connections/provided-store.ts';
import type { Database, Sql } from '#storage/sql/sql.ts';
import { type DerivedGroup, derivePayments } from '../derive/derive-payments.ts';
import { factIdsOf, leadsOn, toPayerId, toSeeds } from '../derive/fact-ids.ts';
import type { ProviderFact } from '../facts.ts';
import { readFacts, writeFacts } from './read-facts.ts';
import { translateEvent } from './translate-event.ts';

/** How many events are taken in one transaction: few enough that nobody waits long for it. */
export const BATCH_EVENTS = 200;

/**
 * Takes the oldest waiting events: translates them, adds what they state to what is known, and records what that comes
 * to in the payments. All of it in one transaction, so that a crash loses and repeats nothing.
 *
 * @returns how many events it took; 0 when none waits.
 */
export function takeEvents(db: Database, now: () => number, limit = BATCH_EVENTS): Promise<number> {
  return db.transaction(async (sql) => {
    // One process at a time: another one's facts would be missed.
    await sql.run("UPDATE counters SET value = value WHERE name = 'provider_events'");
    const events = await findWaiting(sql, limit);
    if (events.length > 0) await takeBatch(sql, events, now());
    await purgeEvents(sql, now());
    return events.length;
  });
}

type Place = { readonly id: string; readonly siteId: string; readonly provider: string };

async function takeBatch(sql: Sql, events: readonly InboxEvent[], at: number): Promise<void> {
  const [{ connectionId } = { connectionId: '' }] = events;
  const row = await sql.get('SELECT * FROM connections WHERE id = ?', connectionId);
  const [siteId, provider] = [String(row?.site_id), String(row?.provider)];
  const settings = JSON.parse(String(row?.settings ?? '{}'));
  const translated = events.map((event) => translateEvent(provider, settings, event));

  const idsBefore = await findIds(sql, connectionId, events);
  const stated = translated.map(({ eventId, facts }) => {
    const ids = [...new Set(facts.flatMap(factIdsOf))];
    return { eventId, facts: writeFacts(facts), ids };
  });
  await saveFacts(sql, connectionId, stated);
  const seeds = toSeeds([...idsBefore, ...stated.flatMap(({ ids }) => ids)]);
  const faults = await recordAll(sql, { id: connectionId, siteId, provider }, seeds, at);

  const noted = translated.map(({ eventId, state, error, facts }): NotedState => {
    const fault = facts.flatMap(factIdsOf).flatMap((id) => faults.get(id) ?? [])[0];
    return fault === undefined
      ? { eventId, state, error }
      : { eventId, state: 'failed', error: fault };
  });
  await noteStates(sql, connectionId, noted);
  const failed = noted.findLast(({ state }) => state === 'failed');
  if (failed === undefined) return;
  const note = 'UPDATE connections SET last_error = ?, last_error_at = ? WHERE id = ?';
  await sql.run(note, `Event ${failed.eventId}: ${failed.error}`, at, connectionId);
}

/** Records what all facts around these ids come to. Returns what could not be recorded, by the ids of the facts. */
async function recordAll(
  sql: Sql,
  { id, siteId, provider }: Place,
  seeds: readonly string[],
  at: number,
): Promise<Map<string, string[]>> {
  const facts = await readTogether(sql, id, seeds, leadsOn);
  const customers = new Set(
    facts.flatMap((fact) => ('customerId' in fact && fact.customerId ? [fact.customerId] : [])),
  );
  const payers = [...customers].map(toPayerId);
  const ofCustomers = await readTogether(sql, id, payers, () => false);
  const groups = derivePayments(facts, { provider, ofCustomers });

  const ids = groups.flatMap((group) => group.ids);
  const known = await findStated(sql, siteId, ids);
  const ownIds = await findOwnIds(sql, siteId, ids);
  const before = new Map(known.map((payment) => [payment.transactionId, payment]));
  const changed = groups
    .map((group) => ({ ...group, before: group.ids.flatMap((each) => before.get(each) ?? []) }))
    .filter((group) => hasChanged(group, ownIds));
  return record(sql, { id, siteId, provider }, changed, at);
}

async function readTogether(
  sql: Sql,
  connectionId: string,
  ids: readonly string[],
  leads: (id: string) => boolean,
): Promise<ProviderFact[]> {
  if (ids.length === 0) return [];
  const found = await findTogether(sql, connectionId, ids, leads);
  const texts = new Set([...found.values()].flatMap((text) => readFacts(text).map(toText)));
  return [...texts].toSorted().flatMap((text) => readFacts(`[${text}]`));
}

const toText = (fact: ProviderFact) => writeFacts([fact]).slice(1, -1);

type ChangedGroup = DerivedGroup & { readonly before: readonly ProvidedPayment[] };

function hasChanged(
  { ids, payments, before }: ChangedGroup,
  ownIds: ReadonlyMap<string, string>,
): boolean {
  const after = payments.map(({ payment }) => payment);
  const others = toOtherIds(after, ids);
  if (others.some((id) => ownIds.get(id) !== after[0]?.transactionId)) return true;
  const byId = new Map(before.map((payment) => [payment.transactionId, toStatedText(payment)]));
  return (
    payments.length !== before.length ||
    payments.some(({ payment }) => byId.get(payment.transactionId) !== toStatedText(payment))
  );
}

async function record(
  sql: Sql,
  { id, siteId }: Place,
  groups: readonly ChangedGroup[],
  at: number,
): Promise<Map<string, string[]>> {
  const faults = new Map<string, string[]>();
  if (groups.length === 0) return faults;
  const ids = groups.flatMap(({ ids: own, payments }) => [
    ...own,
    ...payments.flatMap(({ payment }) => payment.refunds.map((refund) => refund.transactionId)),
  ]);
  const provided = await beginProvided(sql, siteId, ids, at);
  for (const { ids: own, before, payments, notes } of groups) {
    const after = payments.map(({ payment }) => payment);
    const found = await provided.provide({ ids: own, before, after });
    if (found.length + notes.length > 0) {
      for (const each of own) faults.set(`money ${each}`, [...found, ...notes]);
    }
    if (found.length > 0) continue; // It is stated again with its next event, or by a replay.
    const isKept = (each: ProvidedPayment) =>
      after.some(({ transactionId }) => transactionId === each.transactionId);
    const gone = before.filter((each) => !isKept(each)).map((each) => each.transactionId);
    await saveStated(sql, { id, siteId }, gone, payments, own);
  }
  await provided.flush();
  return faults;
}
