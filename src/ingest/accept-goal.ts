import type { EventRow } from '#contract/event-row.ts';
import type { GoalRequest } from '#contract/goal.ts';
import { toGoalAnswer } from '#contract/goal.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { findOpenVisit } from '#domain/visit/visit-gap.ts';
import { type KeyedAnswer, type ReusedKey, toReplay } from './keyed-answer.ts';
import type { NewId } from './new-uuid.ts';
import type { EventJournal, IdempotencyClaim, IngestLedger, VisitorDirectory } from './ports.ts';
import { removeMarkupOf } from './remove-markup.ts';

/** A goal that a backend reports, its form already checked. */
export type GoalReport = {
  readonly siteId: string;
  readonly goal: GoalRequest;
  readonly claim?: IdempotencyClaim | undefined;
};

/** Why a goal of good form is not accepted. */
export type GoalRefusal = { readonly type: 'bot_visitor' | 'visitor_not_found' } | ReusedKey;

/** Takes one goal in. Throws UnavailableError when it could not be written or checked. */
export type AcceptGoal = (report: GoalReport) => Promise<Result<KeyedAnswer, GoalRefusal>>;

/** What accepting goals needs of the world. */
export type AcceptGoalPorts = {
  readonly journal: EventJournal;
  readonly ledger: IngestLedger;
  readonly directory: VisitorDirectory;
  readonly now: () => number;
  readonly newId: NewId;
};

/**
 * The use case that takes goals in: resolves once the goal is on disk.
 *
 * - Refuses goals of bots, and of visitors without a pageview on the site. Before it says that there
 *   is none it waits for what is being shipped, as another process may hold the pageview.
 * - With a claim, the goal and the answer are kept in one transaction of the ledger.
 */
export function createAcceptGoal(ports: AcceptGoalPorts): AcceptGoal {
  const { journal, ledger, directory, now, newId } = ports;

  return async (report) => {
    const { siteId, goal, claim } = report;
    const earlier = claim && ledger.findAnswer(siteId, claim);
    if (earlier !== undefined) return toReplay(earlier);

    const recent = directory.recall(siteId, goal.service_visitor_id);
    const visitor = isDecided(recent)
      ? recent
      : await directory.find(siteId, goal.service_visitor_id, 'wait');
    if (visitor !== undefined && visitor.botClass !== '') return refuse({ type: 'bot_visitor' });
    if (!visitor?.hasPageview) return refuse({ type: 'visitor_not_found' });

    const at = now();
    const eventId = newId(at);
    const row = toRow(report, visitor, eventId, at);
    const answer = toGoalAnswer(eventId);
    if (claim !== undefined) {
      const outcome = await ledger.acceptKeyedGoal(row, { ...claim, answer });
      return outcome.kind === 'recorded' ? ok({ answer, replayed: false }) : toReplay(outcome);
    }
    await journal.append([row]);
    return ok({ answer, replayed: false });
  };
}

/** Whether memory alone says what becomes of a goal. */
function isDecided(visitor: KnownVisitor | undefined): visitor is KnownVisitor {
  return visitor !== undefined && (visitor.hasPageview || visitor.botClass !== '');
}

/** A goal belongs to the visitor's open visit, if there is one, and does not prolong it. */
function toRow(report: GoalReport, visitor: KnownVisitor, eventId: string, at: number): EventRow {
  const { service_visitor_id, name, metadata } = report.goal;
  const visit = findOpenVisit(visitor, at);
  return {
    site_id: report.siteId,
    occurred_at: at,
    accepted_at: at,
    event_id: eventId,
    type: 'goal',
    visitor_id: service_visitor_id,
    visit_id: visit?.visitId,
    visit_started_at: visit?.visitStartedAt,
    extends_visit: 0,
    name,
    props: metadata && removeMarkupOf(metadata),
  };
}
