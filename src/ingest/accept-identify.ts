import type { Fault } from '#contract/fault.ts';
import { type IdentifyRequest, toIdentifyAnswer } from '#contract/identify.ts';
import type { Claim } from '#domain/claim.ts';
import { isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';
import { type Result, refuse } from '#domain/result.ts';
import { createFindSoon } from './find-soon.ts';
import { type KeyedAnswer, type ReusedKey, toKeyedAnswer } from './keyed-answer.ts';
import type { NewId } from './new-uuid.ts';
import type { IngestLedger, VisitorDirectory } from './ports.ts';
import { removeMarkupOf } from './remove-markup.ts';
import { toReportedRow } from './reported-row.ts';

/** A visitor's identity that a backend reports, already validated against the schema. */
type IdentifyReport = {
  readonly siteId: string;
  readonly identify: IdentifyRequest;
  readonly claim?: Claim | undefined;
};

type IdentifyRefusal =
  | { readonly type: 'invalid_request'; readonly details: readonly Fault[] }
  | ReusedKey;

/** Accepts one identify. Throws UnavailableError if it could not be written. */
export type AcceptIdentify = (
  report: IdentifyReport,
) => Promise<Result<KeyedAnswer, IdentifyRefusal>>;

type AcceptIdentifyPorts = {
  readonly ledger: Pick<IngestLedger, 'acceptEvents' | 'findAnswer'>;
  readonly directory: Pick<VisitorDirectory, 'find'>;
  readonly now: () => number;
  readonly newId: NewId;
};

/**
 * The use case that identifies a visitor. Resolves once the identity is on disk.
 *
 * - Refuses placeholder ids: they would join strangers to one person.
 * - Accepts unknown visitors, because reports may arrive in any order. A bot's identity joins nobody.
 */
export function createAcceptIdentify(ports: AcceptIdentifyPorts): AcceptIdentify {
  const { ledger, now, newId } = ports;
  const findSoon = createFindSoon(ports.directory);

  return async ({ siteId, identify, claim }) => {
    const details = findPlaceholders(identify);
    if (details.length > 0) return refuse({ type: 'invalid_request', details });
    const earlier = claim && (await ledger.findAnswer(siteId, claim));
    if (earlier !== undefined) return toKeyedAnswer(earlier, '');

    const { service_visitor_id: visitor_id, user_id, email, traits = {} } = identify;
    const found = await findSoon(siteId, visitor_id);
    const known = found === 'undecided' ? undefined : found;
    const at = now();
    const ids = { site_id: siteId, event_id: newId(at), visitor_id, user_id };
    const props = { ...removeMarkupOf(traits), ...(email !== undefined && { email }) };
    const row = toReportedRow({ ...ids, type: 'identify', props }, at, known);
    const answer = toIdentifyAnswer(row.event_id, Boolean(row.bot_class));
    const claimed = claim && { ...claim, answer, subject: visitor_id };
    return toKeyedAnswer(await ledger.acceptEvents([{ row }], claimed), answer);
  };
}

function findPlaceholders({ service_visitor_id, user_id, email }: IdentifyRequest): Fault[] {
  const message = 'is a placeholder, not an identity; call identify once the visitor is known';
  const keys = { visitor: service_visitor_id, user: user_id, email };
  const paths = { visitor: '/service_visitor_id', user: '/user_id', email: '/email' };
  return (['visitor', 'user', 'email'] as const).flatMap((kind) =>
    keys[kind] !== undefined && isPlaceholderKey(kind, keys[kind])
      ? [{ path: paths[kind], message }]
      : [],
  );
}
