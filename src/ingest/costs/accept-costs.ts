import type { Fault } from '#contract/fault.ts';
import type { CostsAnswer } from '#contract/payments/cost.ts';
import { countNoun } from '#domain/count-noun.ts';
import type { Cost, CostChange, CostOutcome } from '#domain/money/cost.ts';
import { ok, type Result } from '#domain/result.ts';
import { parseCosts, type SentCost } from './parse-costs.ts';

/** The ledger, as costs need it. Every promise resolves after an fsynced commit. */
interface CostLedger {
  recordCosts(siteId: string, costs: readonly Cost[], change: CostChange): Promise<CostOutcome>;
}

/** Costs that a backend reports, whose schema says nothing against the request as a whole. */
type ReportedCosts = {
  readonly siteId: string;
  readonly timezone: string;
  readonly costs: readonly SentCost[];
  readonly isWhole: boolean;
};

/** Accepts the costs of one request, all or none. Throws UnavailableError if they could not be written. */
export type AcceptCosts = (report: ReportedCosts) => Promise<Result<CostsAnswer, Fault[]>>;

/** The use case that accepts costs. Resolves once they are on disk. */
export function createAcceptCosts(ports: {
  readonly ledger: CostLedger;
  readonly now: () => number;
}): AcceptCosts {
  return async ({ siteId, timezone, costs, isWhole }) => {
    const parsed = parseCosts(costs, { timezone, now: ports.now() });
    if (!parsed.ok) return parsed;
    const outcome = await ports.ledger.recordCosts(siteId, parsed.value, { isWhole });
    return ok({ message: toMessage(outcome), ...outcome });
  };
}

function toMessage({ added, replaced, unchanged, removed, kept }: CostOutcome): string {
  const count = added + replaced + unchanged;
  const first = `${countNoun(count, 'cost')} ${count === 1 ? 'is' : 'are'} recorded`;
  const parts = [
    replaced > 0 ? `${replaced} replaced others` : '',
    unchanged > 0 ? `${unchanged} were there already` : '',
    removed > 0 ? `${removed} others of these days and sources were removed` : '',
    kept > 0 ? `${kept} others of these days and sources stay` : '',
  ];
  return `${[first, ...parts.filter((part) => part !== '')].join('; ')}.`;
}
