import type { Fault } from '#contract/fault.ts';
import type { Ltv } from '#contract/reports/ltv.ts';
import { DIMENSION_NAMES, findDimension } from '../../catalog.ts';
import type { VisitDimension, VisitorDimension } from '../../dimension.ts';
import type { BaseQuery } from '../../query/query.ts';
import { type SplitFilter, splitFilter } from '../cohorts/split-filter.ts';
import type { Planned } from '../report-kind.ts';

/** By when members first came or paid, or by a dimension of their first visit. */
export type LtvGroup = 'cohort_week' | 'cohort_month' | VisitDimension | VisitorDimension;

/** A query about lifetime value, parsed. */
export type LtvQuery = {
  /** Of all that was paid up to now. */
  readonly query: BaseQuery;
  readonly filter: SplitFilter;
  readonly cohort: 'first_visit' | 'first_payment';
  /** When members first came or paid. */
  readonly joined: { readonly startsAt: number; readonly endsAt: number };
  readonly group: LtvGroup;
  readonly months: number;
  readonly limit: number;
};

/** The same, planned. */
export type LtvPlan = Planned<LtvQuery>;

const MONTHS = 12;
const LIMIT = 100;

/** The query that was asked; faults are noted. */
export function parseLtv(
  asked: Ltv,
  base: BaseQuery,
  faults: Fault[],
  now: number,
): LtvQuery | undefined {
  const filter = splitFilter(base.filter, { takesPayments: true }, faults);
  const group = parseGroup(asked.group_by ?? 'cohort_month', faults);
  if (!filter || !group) return undefined;
  const period = { startsAt: 0, endsAt: now + 1, timeZone: base.period.timeZone };
  // Who tells bots apart counts them, in a breakdown as in a filter.
  const dimensions = typeof group === 'string' ? [] : [group];
  return {
    query: { ...base, period, dimensions },
    filter,
    cohort: asked.cohort ?? 'first_visit',
    joined: base.period,
    group,
    months: asked.months ?? MONTHS,
    limit: asked.limit ?? LIMIT,
  };
}

function parseGroup(name: string, faults: Fault[]): LtvGroup | undefined {
  if (name === 'cohort_week' || name === 'cohort_month') return name;
  const dimension = findDimension(name);
  if (dimension?.of === 'visit' || dimension?.of === 'visitor') return dimension;
  const known = ['cohort_month', 'cohort_week', ...DIMENSION_NAMES.filter(isOfFirstVisit)];
  const message = `${JSON.stringify(name)} does not group people. Known: ${known.join(', ')}.`;
  faults.push({ path: '/group_by', message });
  return undefined;
}

function isOfFirstVisit(name: string): boolean {
  return name.startsWith('visit:') || name.startsWith('visitor:');
}
