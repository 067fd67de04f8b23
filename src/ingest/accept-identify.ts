import type { EventRow } from '#contract/event-row.ts';
import type { Fault } from '#contract/fault.ts';
import { type IdentifyRequest, toIdentifyAnswer } from '#contract/identify.ts';
import { isNobodysKey } from '#domain/identity/nobodys-keys.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { findOpenVisit } from '#domain/visit/visit-gap.ts';
import { type KeyedAnswer, type ReusedKey, toReplay } from './keyed-answer.ts';
import type { NewId } from './new-uuid.ts';
import type { IdempotencyClaim, IngestLedger, VisitorDirectory } from './ports.ts';
import { removeMarkupOf } from './remove-markup.ts';

/** Who a visitor is, as a backend reports it, its form already checked. */
export type IdentifyReport = {
  readonly siteId: string;
  readonly identify: IdentifyRequest;
  readonly claim?: IdempotencyClaim | undefined;
};

/** Why an identify of good form is not accepted. */
export type IdentifyRefusal =
  | { readonly type: 'invalid_request'; readonly details: readonly Fault[] }
  | ReusedKey;

/** Takes one identify in. Throws UnavailableError when it could not be written. */
export type AcceptIdentify = (
  report: IdentifyReport,
) => Promise<Result<KeyedAnswer, IdentifyRefusal>>;

/** What accepting an identify needs of the world. */
export type AcceptIdentifyPorts = {
  readonly ledger: Pick<IngestLedger, 'acceptEvents' | 'acceptKeyedGoal' | 'findAnswer'>;
  readonly directory: Pick<VisitorDirectory, 'recall'>;
  readonly now: () => number;
  readonly newId: NewId;
};

/**
 * The use case that learns who a visitor is: resolves once it is on disk.
 *
 * - Refuses ids that stand for nobody: they would make one person of strangers.
 * - An unknown visitor is no reason to refuse: facts may come in any order.
 */
export function createAcceptIdentify(ports: AcceptIdentifyPorts): AcceptIdentify {
  const { ledger, now, newId } = ports;

  return async (report) => {
    const { siteId, identify, claim } = report;
    const details = findNobody(identify);
    if (details.length > 0) return refuse({ type: 'invalid_request', details });
    const earlier = claim && ledger.findAnswer(siteId, claim);
    if (earlier !== undefined) return toReplay(earlier);

    const at = now();
    const row = toRow(report, newId(at), at, ports.directory);
    const answer = toIdentifyAnswer(row.event_id);
    if (claim === undefined) {
      await ledger.acceptEvents([{ row, onceId: undefined }]);
      return ok({ answer, replayed: false });
    }
    const outcome = await ledger.acceptKeyedGoal(row, { ...claim, answer });
    return outcome.kind === 'recorded' ? ok({ answer, replayed: false }) : toReplay(outcome);
  };
}

function findNobody({ user_id, email }: IdentifyRequest): Fault[] {
  const faults: Fault[] = [];
  const rule = 'stands for nobody in particular; leave identify out until it is known who it is';
  if (isNobodysKey('user', user_id)) faults.push({ path: '/user_id', message: rule });
  if (email !== undefined && isNobodysKey('email', email)) {
    faults.push({ path: '/email', message: rule });
  }
  return faults;
}

/** It belongs to the visitor's open visit, if there is one, and does not prolong it. */
function toRow(
  { siteId, identify }: IdentifyReport,
  eventId: string,
  at: number,
  directory: Pick<VisitorDirectory, 'recall'>,
): EventRow {
  const { service_visitor_id, user_id, email, traits = {} } = identify;
  const known = directory.recall(siteId, service_visitor_id);
  const visit = known && findOpenVisit(known, at);
  return {
    site_id: siteId,
    occurred_at: at,
    accepted_at: at,
    event_id: eventId,
    type: 'identify',
    visitor_id: service_visitor_id,
    ...(visit && { visit_id: visit.visitId, visit_started_at: visit.visitStartedAt }),
    extends_visit: 0,
    user_id,
    props: { ...removeMarkupOf(traits), ...(email !== undefined && { email }) },
    ...(known?.botClass && { bot_class: known.botClass }),
  };
}
