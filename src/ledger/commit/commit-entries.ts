import { withFound } from '#contract/payments/payment-messages.ts';
import type { AnsweredClaim } from '#domain/claim.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { InboxEvent } from '#domain/money/provider-event.ts';
import type { EventsOutcome, FoundFacts, PaymentOutcome } from '#domain/outcome.ts';
import { DAY_MS, MINUTE_MS } from '#domain/time/durations.ts';
import type { DropCount, DropSample } from '#domain/visit/dropped-events.ts';
import type { Database, Sql } from '#storage/sql/sql.ts';
import { saveEvents } from '../connections/inbox.ts';
import { beginPayments } from './accept-payment.ts';
import { type GroupAnswers, readAnswers } from './answer-store.ts';
import { saveDrops } from './drop-store.ts';
import { beginImported } from './imported-payments.ts';
import { beginEvents, type LedgerEvent } from './record-events.ts';

/** An entry for the committing thread. */
export type LedgerEntry =
  | {
      readonly kind: 'payment';
      readonly siteId: string;
      readonly report: PaymentReport;
      readonly claim: AnsweredClaim | undefined;
      /** The import that reports it. */
      readonly importId?: string | undefined;
    }
  | {
      readonly kind: 'events';
      /** The site of the claim's API key. */
      readonly siteId: string;
      readonly events: readonly LedgerEvent[];
      readonly claim: AnsweredClaim | undefined;
    }
  | {
      readonly kind: 'drops';
      readonly counts: readonly DropCount[];
      readonly samples: readonly DropSample[];
    }
  | { readonly kind: 'key_use'; readonly keyId: string; readonly usedAt: number }
  | { readonly kind: 'provider_event'; readonly event: InboxEvent };

/** The outcome of an entry. */
export type LedgerOutcome = EventsOutcome | PaymentOutcome;

/** Minimum lifetime of answers and event ids: twice the documented lifetime of answers. */
const KEPT_MS = 2 * DAY_MS;
/** Purge interval, and the shorter interval while a purge is incomplete. */
const PURGE_INTERVAL_MS = 10 * MINUTE_MS;
const PURGE_AGAIN_MS = 1_000;

/**
 * Creates a function that records a group of entries in one transaction and returns one outcome per entry.
 *
 * - Throws if the write fails. Then nothing of the group is recorded.
 * - Each entry sees the earlier entries of its group, so that 64 identical concurrent payments count once.
 * - Why a group is read and written as a whole: a database across a network answers few statements a second.
 */
export function createCommitEntries(
  db: Database,
  now: () => number = Date.now,
): (entries: readonly LedgerEntry[]) => Promise<LedgerOutcome[]> {
  let purgeAt = 0;

  async function purgeOld(sql: Sql, at: number): Promise<void> {
    const areDone = [
      await purge(sql, 'answers', at - KEPT_MS, 2_000),
      await purge(sql, 'event_ids', at - KEPT_MS, 5_000),
    ];
    purgeAt = at + (areDone.includes(false) ? PURGE_AGAIN_MS : PURGE_INTERVAL_MS);
  }

  return (entries) =>
    db.transaction(async (sql) => {
      const at = now();
      const outcomes = await commitGroup(sql, entries, at);
      if (at >= purgeAt) await purgeOld(sql, at);
      return outcomes;
    });
}

type Report = Extract<LedgerEntry, { kind: 'payment' | 'events' }>;
const isReport = (entry: LedgerEntry): entry is Report =>
  entry.kind === 'payment' || entry.kind === 'events';

async function commitGroup(
  sql: Sql,
  entries: readonly LedgerEntry[],
  at: number,
): Promise<LedgerOutcome[]> {
  const reports = entries.filter(isReport);
  const answers = await readAnswers(
    sql,
    reports.flatMap(({ siteId, claim }) => (claim ? [[siteId, claim.key] as const] : [])),
  );
  const paid = reports.flatMap((each) =>
    each.kind === 'payment' ? [[each.siteId, each.report] as const] : [],
  );
  const payments = paid.length > 0 ? await beginPayments(sql, paid) : undefined;
  const events = await beginEvents(sql, certainEvents(reports, answers), at);
  const imported = beginImported(sql, payments);

  async function accept(entry: Report): Promise<LedgerOutcome> {
    const { siteId, claim } = entry;
    const earlier = claim && answers.findAnswer(siteId, claim);
    if (earlier !== undefined) return earlier;
    const outcome =
      entry.kind === 'payment' ? await imported.accept(entry) : await events.add(entry.events);
    // A refused report does not use up its key. It may be sent again with a corrected body.
    if (claim !== undefined && outcome.kind !== 'transaction_conflict') {
      answers.saveAnswer(siteId, { ...claim, answer: toAnswer(claim.answer, outcome) });
    }
    return outcome;
  }

  const inbox = entries.flatMap((each) => (each.kind === 'provider_event' ? [each.event] : []));
  const areNew = await saveEvents(sql, inbox);
  const outcomes: LedgerOutcome[] = [];
  for (const entry of entries) {
    if (entry.kind === 'provider_event') {
      outcomes.push({ kind: areNew.shift() ? 'recorded' : 'unchanged' });
    } else outcomes.push(isReport(entry) ? await accept(entry) : await keep(sql, entry));
  }
  await payments?.flush();
  await imported.flush();
  await events.flush();
  await answers.flush(at);
  return outcomes;
}

/** The events that no earlier answer and no earlier report of the group stands in the way of. */
function certainEvents(
  reports: readonly Report[],
  answers: GroupAnswers,
): (readonly LedgerEvent[])[] {
  const seen = new Set<string>();
  return reports.flatMap((report) => {
    const { kind, siteId, claim } = report;
    const name = claim && `${siteId} ${claim.key}`;
    const isFirst =
      name === undefined || !(seen.has(name) || answers.findAnswer(siteId, claim as AnsweredClaim));
    if (name !== undefined) seen.add(name);
    return kind === 'events' && isFirst ? [report.events] : [];
  });
}

type Kept = Extract<LedgerEntry, { kind: 'drops' | 'key_use' }>;

/** Records what belongs to no report. */
async function keep(sql: Sql, entry: Kept): Promise<LedgerOutcome> {
  if (entry.kind === 'drops') {
    await saveDrops(sql, entry.counts, entry.samples);
    return { kind: 'unchanged' };
  }
  await sql.run(
    'UPDATE keys SET last_used_at = ?1 WHERE id = ?2 AND coalesce(last_used_at, 0) < ?1',
    ...[entry.usedAt, entry.keyId],
  );
  return { kind: 'recorded' };
}

/** Adds facts to the answer that are known only after recording. */
function toAnswer(answer: string, outcome: LedgerOutcome): string {
  const isPayment = outcome.kind === 'recorded' || outcome.kind === 'unchanged';
  return isPayment ? withFound(answer, outcome as FoundFacts) : answer;
}

/** Deletes the oldest rows from before an instant, so few that it never delays a commit. Returns false if more are left. */
async function purge(
  sql: Sql,
  table: 'answers' | 'event_ids',
  before: number,
  rowsMax: number,
): Promise<boolean> {
  const deleted = await sql.run(
    `DELETE FROM ${table} WHERE id <= (
      SELECT max(id) FROM (SELECT id, created_at FROM ${table} ORDER BY id LIMIT ${rowsMax}) AS oldest
      WHERE created_at < ?)`,
    before,
  );
  return deleted < rowsMax;
}
