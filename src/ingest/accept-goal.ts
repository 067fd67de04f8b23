import { type GoalRequest, toGoalAnswer } from '#contract/goal.ts';
import type { Claim } from '#domain/claim.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { type KeyedAnswer, type ReusedKey, toKeyedAnswer } from './keyed-answer.ts';
import type { NewId } from './new-uuid.ts';
import type { EventJournal, IngestLedger, VisitorDirectory } from './ports.ts';
import { removeMarkupOf } from './remove-markup.ts';
import { toReportedRow } from './reported-row.ts';

/** A goal that a backend reports, already validated against the schema. */
type GoalReport = {
  readonly siteId: string;
  readonly goal: GoalRequest;
  readonly claim?: Claim | undefined;
};

type GoalRefusal = { readonly type: 'bot_visitor' | 'visitor_not_found' } | ReusedKey;

/** Accepts one goal. Throws UnavailableError if it could not be written or checked. */
export type AcceptGoal = (report: GoalReport) => Promise<Result<KeyedAnswer, GoalRefusal>>;

type AcceptGoalPorts = {
  readonly journal: EventJournal;
  readonly ledger: IngestLedger;
  readonly directory: VisitorDirectory;
  readonly now: () => number;
  readonly newId: NewId;
};

/**
 * The use case that accepts goals. Resolves once the goal is on disk.
 *
 * - Refuses goals of bots, and of visitors without a pageview on the site. Before it refuses an
 *   unknown visitor, it waits for shipping, because the pageview may not be in the warehouse yet.
 * - With a claim, one ledger transaction saves the goal and the answer.
 */
export function createAcceptGoal(ports: AcceptGoalPorts): AcceptGoal {
  const { journal, ledger, directory, now, newId } = ports;

  return async ({ siteId, goal, claim }) => {
    const earlier = claim && (await ledger.findAnswer(siteId, claim));
    if (earlier !== undefined) return toKeyedAnswer(earlier, '');

    const { service_visitor_id: visitor_id, name, metadata } = goal;
    const recent = directory.recall(siteId, visitor_id);
    const visitor = isDecided(recent) ? recent : await directory.find(siteId, visitor_id, 'wait');
    if (visitor !== undefined && visitor.botClass !== '') return refuse({ type: 'bot_visitor' });
    if (!visitor?.hasPageview) return refuse({ type: 'visitor_not_found' });

    const at = now();
    const event_id = newId(at);
    const props = metadata && removeMarkupOf(metadata);
    const reported = { site_id: siteId, event_id, type: 'goal', visitor_id, name, props } as const;
    const row = toReportedRow(reported, at, visitor);
    const answer = toGoalAnswer(event_id);
    if (claim === undefined) {
      await journal.append([row]);
      return ok({ answer, replayed: false });
    }
    const claimed = { ...claim, answer, subject: visitor_id };
    return toKeyedAnswer(await ledger.acceptEvents([{ row }], claimed), answer);
  };
}

/** Whether memory alone decides about a goal. */
function isDecided(visitor: KnownVisitor | undefined): visitor is KnownVisitor {
  return visitor !== undefined && (visitor.hasPageview || visitor.botClass !== '');
}
