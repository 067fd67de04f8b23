import type { Fault } from '#contract/fault.ts';
import { CostFields, type CostsAnswer, CostsRequest } from '#contract/payments/cost.ts';
import { countNoun } from '#domain/count-noun.ts';
import { findLikelyName } from '#domain/find-likely-name.ts';
import type { Cost, CostChange, CostOutcome } from '#domain/money/cost.ts';
import { ok, type Result } from '#domain/result.ts';
import { parseCosts, type SentCost } from './parse-costs.ts';

/** Costs that a backend reports, whose schema says nothing against the request as a whole. */
type ReportedCosts = {
  readonly siteId: string;
  readonly timezone: string;
  readonly costs: readonly SentCost[];
  readonly isWhole: boolean;
  /** The names of the request's fields. */
  readonly names: readonly string[];
};

/** Accepts the costs of one request, all or none. Throws UnavailableError if they could not be written. */
export type AcceptCosts = (report: ReportedCosts) => Promise<Result<CostsAnswer, Fault[]>>;

type AcceptCostsPorts = {
  readonly ledger: {
    recordCosts(siteId: string, costs: readonly Cost[], change: CostChange): Promise<CostOutcome>;
  };
  readonly now: () => number;
};

/** The use case that accepts costs. Resolves once they are on disk. */
export function createAcceptCosts({ ledger, now }: AcceptCostsPorts): AcceptCosts {
  return async ({ siteId, timezone, costs, isWhole, names }) => {
    const parsed = parseCosts(costs, { timezone, now: now() });
    if (!parsed.ok) return parsed;
    const unread = findUnread([names, ...costs.map(({ fields }) => Object.keys(fields as object))]);
    const outcome = await ledger.recordCosts(siteId, parsed.value.costs, { isWhole });
    return ok({ message: toMessage(outcome, parsed.value.rounded, unread), ...outcome });
  };
}

function toMessage(
  { added, replaced, unchanged, removed, kept }: CostOutcome,
  rounded: readonly string[],
  unread: readonly string[],
): string {
  const count = added + replaced + unchanged;
  const first = `${countNoun(count, 'cost')} ${count === 1 ? 'is' : 'are'} recorded`;
  const parts = [
    replaced > 0 ? `${replaced} replaced others` : '',
    unchanged > 0 ? `${unchanged} already known` : '',
    removed > 0 ? `${removed} others of these days and sources were removed` : '',
    kept > 0 ? `${kept} others of these days and sources stay` : '',
    rounded.length > 0 ? `rounded: ${listFirst(rounded)}` : '',
    unread.length > 0 ? `not read: ${listFirst(unread)}` : '',
  ];
  return `${[first, ...parts.filter((part) => part !== '')].join('; ')}.`;
}

const [LISTED_MAX, NAME_MAX] = [10, 40];
const READ = Object.keys({ site_id: '', ...CostsRequest.properties, ...CostFields.properties });

/** The names of fields that nothing reads, with what may have been meant. */
function findUnread(sent: readonly (readonly string[])[]): string[] {
  const unread = [...new Set(sent.flat())].filter((name) => !READ.includes(name));
  return unread.slice(0, LISTED_MAX + 1).map((whole) => {
    const name = whole.slice(0, NAME_MAX);
    const likely = findLikelyName(name, READ);
    return likely === undefined ? name : `${name} (did you mean ${likely}?)`;
  });
}

function listFirst(of: readonly string[]): string {
  return `${of.slice(0, LISTED_MAX).join(', ')}${of.length > LISTED_MAX ? ', …' : ''}`;
}
