import { createChecker } from '#contract/checker.ts';
import { bodyErrors } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import { withoutNulls } from '#contract/optional.ts';
import { CostsAnswer, CostsRequest } from '#contract/payments/cost.ts';
import type { AcceptCosts } from '#ingest/costs/accept-costs.ts';
import type { SentCost } from '#ingest/costs/parse-costs.ts';
import { refuseFaults } from '#server/errors/errors.ts';
import { keyOf } from '#server/requests/authenticate.ts';
import { BODY_MAX_BYTES } from '#server/requests/body.ts';
import type { Server } from '#server/server-type.ts';
import { scanObject } from './scan-object.ts';
import { addWriteRoute, type WriteAccess } from './write-endpoint.ts';

const checker = createChecker(CostsRequest);
const IS_OF_A_COST = /^\/costs\/\d+/;

/**
 * `POST /api/v1/costs`: receives what was spent on campaigns.
 *
 * Why without an `Idempotency-Key`: a cost replaces itself, so that the same request again changes nothing.
 */
export function addCostRoute(
  server: Server,
  access: WriteAccess & { readonly acceptCosts: AcceptCosts },
): void {
  const path = '/api/v1/costs';
  const scope = 'payments:write';
  const { sites, acceptCosts } = access;
  const endpoint = {
    ...({ path, scope, isForBrowsers: false, bodyMaxBytes: BODY_MAX_BYTES } as const),
    async answer(write: Parameters<Parameters<typeof addWriteRoute>[2]['answer']>[0]) {
      const { siteId } = keyOf(write);
      const sent = toSentCosts(write.body, write.bodyText);
      const timezone = sites.findSite(siteId)?.timezone ?? 'UTC';
      const accepted = await acceptCosts({ siteId, timezone, ...sent });
      if (!accepted.ok) throw refuseFaults(accepted.error);
      return { text: JSON.stringify(accepted.value) };
    },
  };
  addWriteRoute(server, access, endpoint, {
    operationId: 'recordCosts',
    summary: 'Record what was spent on campaigns',
    description:
      'Records costs by day, source, medium and campaign, all or none. A cost with the same four replaces the earlier one.',
    tags: ['costs'],
    security: [{ key: [scope] }],
    body: CostsRequest,
    response: { 200: CostsAnswer, ...bodyErrors() },
  });
}

/** The costs with the digits of their amounts, which JSON parsing loses. Refuses faults of the request as a whole. */
function toSentCosts(sent: unknown, bodyText: string) {
  const body = withoutNulls(sent, CostsRequest);
  const faults = checker.isValid(body) ? [] : checker.findFaults(body);
  const ofWhole = faults.filter(({ path }) => !IS_OF_A_COST.test(path));
  const { numberTexts, duplicates } = scanObject(bodyText, 'amount');
  const twice = duplicates.map((path): Fault => ({ path, message: 'is given more than once' }));
  if (ofWhole.length + twice.length > 0) throw refuseFaults([...ofWhole, ...twice]);
  const { costs, whole_days = false } = body as { costs: unknown[]; whole_days?: boolean };
  return {
    costs: costs.map((fields, index): SentCost => {
      return { fields, amountText: numberTexts.get(`/costs/${index}/amount`) };
    }),
    isWhole: whole_days,
    names: Object.keys(body as object),
  };
}
