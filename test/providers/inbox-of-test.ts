import { after, before, beforeEach } from 'node:test';
import { createCommitEntries } from '#ledger/commit/commit-entries.ts';
import { findPayments, LAST_VERSION } from '#ledger/payments/find-payments.ts';
import { projectPayment } from '#ledger/payments/project-payment.ts';
import { createTakeWaiting } from '#ledger/take-waiting.ts';
import { takeEvents } from '#providers/inbox/take-events.ts';
import type { Database } from '#storage/sql/sql.ts';
import { openInMemory } from '../ledger/open-in-memory.ts';

export const SITE = 'site_1';
export const CONNECTION = 'conn_1';

/** The time at which the tests take events. */
const NOW = Date.UTC(2026, 11, 1);

/** Empties what is known of payments, and connects a provider. */
export async function connectAnew(db: Database, provider: string): Promise<void> {
  for (const table of [
    ...['payments', 'refunds', 'provider_events', 'provider_facts', 'provider_ids'],
    ...['provided_payments', 'provided_ids', 'connections'],
    ...['people', 'person_keys', 'persons', 'subscription_leaders'],
  ]) {
    await db.run(`DELETE FROM ${table}`);
  }
  await db.run(
    `INSERT INTO connections (id, site_id, provider, name, secrets, settings, created_at)
     VALUES (?, ?, ?, '', '', '{}', 0)`,
    ...[CONNECTION, SITE, provider],
  );
}

/** What tests of the file that calls this find before each of them: a ledger without payments, connected to a provider. */
export function connectForEachTest(provider: string): { readonly db: Database } {
  const own = {} as { db: Database };
  before(async () => {
    own.db = await openInMemory();
  });
  after(() => own.db.close());
  beforeEach(() => connectAnew(own.db, provider));
  return own;
}

/** Puts bodies into the inbox, with their ids and types. */
export async function deliver(
  db: Database,
  bodies: readonly { readonly id: string; readonly type: string }[],
): Promise<void> {
  await createCommitEntries(db)(
    bodies.map((body) => ({
      kind: 'provider_event' as const,
      event: {
        ...{ connectionId: CONNECTION, eventId: body.id, type: body.type, isTest: false },
        ...{ receivedAt: NOW, headers: {}, body: JSON.stringify(body) },
      },
    })),
  );
}

/** Takes all events that wait. */
export async function takeAll(db: Database, limit?: number): Promise<void> {
  const takeWaiting = createTakeWaiting(db, () => NOW);
  while ((await takeEvents(takeWaiting, limit)) > 0);
}

/** What counts: `payment pi_1 2900 EUR …`, as the warehouse gets it. */
export async function countedRows(db: Database): Promise<string[]> {
  const payments = await findPayments(db, { after: 0, upTo: LAST_VERSION });
  return payments
    .flatMap(projectPayment)
    .filter((row) => row.is_deleted === undefined)
    .map((row) =>
      [
        ...[row.is_dispute ? 'dispute' : row.kind, row.transaction_id, row.amount_minor],
        ...[row.renewal ? 'renewal' : '', row.visitor_id ?? '', row.provider ?? ''],
      ]
        .filter((part) => part !== '')
        .join(' '),
    )
    .toSorted();
}

/** The states of the inbox, by event type. */
export async function statesOf(db: Database): Promise<string[]> {
  const rows = await db.all('SELECT type, state, error FROM provider_events ORDER BY id');
  return rows.map(({ type, state, error }) => `${type} ${state}${error ? `: ${error}` : ''}`);
}
