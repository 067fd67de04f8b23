import type { Fault } from '#contract/fault.ts';
import { type IdentifyRequest, toIdentifyAnswer } from '#contract/identify.ts';
import { isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';
import { type Result, refuse } from '#domain/result.ts';
import { type KeyedAnswer, type ReusedKey, toKeyedAnswer } from './keyed-answer.ts';
import type { NewId } from './new-uuid.ts';
import type { IdempotencyClaim, IngestLedger, VisitorDirectory } from './ports.ts';
import { removeMarkupOf } from './remove-markup.ts';
import { toReportedRow } from './reported-row.ts';

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
  readonly ledger: Pick<IngestLedger, 'acceptEvents' | 'findAnswer'>;
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
  const { ledger, directory, now, newId } = ports;

  return async ({ siteId, identify, claim }) => {
    const details = findNobody(identify);
    if (details.length > 0) return refuse({ type: 'invalid_request', details });
    const earlier = claim && ledger.findAnswer(siteId, claim);
    if (earlier !== undefined) return toKeyedAnswer(earlier, '');

    const at = now();
    const { service_visitor_id: visitor_id, user_id, email, traits = {} } = identify;
    const known = directory.recall(siteId, visitor_id);
    const reported = {
      site_id: siteId,
      event_id: newId(at),
      type: 'identify',
      ...{ visitor_id, user_id },
      props: { ...removeMarkupOf(traits), ...(email !== undefined && { email }) },
      ...(known?.botClass && { bot_class: known.botClass }),
    } as const;
    const row = toReportedRow(reported, at, known);
    const answer = toIdentifyAnswer(row.event_id);
    return toKeyedAnswer(
      await ledger.acceptEvents([{ row }], claim && { ...claim, answer, subject: visitor_id }),
      answer,
    );
  };
}

function findNobody({ user_id, email }: IdentifyRequest): Fault[] {
  const faults: Fault[] = [];
  const rule = 'stands for nobody in particular; leave identify out until it is known who it is';
  if (isPlaceholderKey('user', user_id)) faults.push({ path: '/user_id', message: rule });
  if (email !== undefined && isPlaceholderKey('email', email)) {
    faults.push({ path: '/email', message: rule });
  }
  return faults;
}
