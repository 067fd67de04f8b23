import type { Fault } from '#contract/fault.ts';
import type { Funnel } from '#contract/reports/funnel.ts';
import type { BaseQuery } from '../../query/query.ts';
import { parseDimensions } from '../parse-dimensions.ts';
import type { Planned } from '../report-kind.ts';
import { parseSteps, refusePayments, toWindow } from '../steps/parse-steps.ts';
import type { Step, Who, Window } from '../steps/step.ts';

/** A funnel that was parsed. */
export type FunnelQuery = {
  readonly steps: readonly Step[];
  readonly window: Window;
  readonly by: Who;
  /** Site, period, filter and dimensions. */
  readonly query: BaseQuery;
  readonly limit: number;
};

/** The same, planned. */
export type FunnelPlan = Planned<FunnelQuery>;

/** How far apart the first and the last step may lie when nothing is said, and how many rows there are. */
export const FUNNEL_DEFAULTS = { within: { days: 30 }, by: 'person', limit: 100 } as const;

const BROKEN_DOWN_BY = { what: 'this is', kinds: ['visit', 'visitor'] } as const;

/** The funnel that is meant; names that are not there and steps without a meaning are noted. */
export function parseFunnel(asked: Funnel, base: BaseQuery, faults: Fault[]): FunnelQuery {
  refusePayments(base.filter, faults);
  const steps = parseSteps(asked.steps, '/steps', faults);
  const dimensions = parseDimensions(asked.dimensions ?? [], BROKEN_DOWN_BY, faults);
  return {
    steps,
    window: toWindow(asked.within ?? FUNNEL_DEFAULTS.within),
    by: asked.by ?? FUNNEL_DEFAULTS.by,
    query: { ...base, dimensions },
    limit: asked.limit ?? FUNNEL_DEFAULTS.limit,
  };
}
