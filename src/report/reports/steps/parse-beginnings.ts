import type { Fault } from '#contract/fault.ts';
import { DIMENSION_NAMES, findDimension } from '../../catalog.ts';
import type { VisitDimension, VisitorDimension } from '../../dimension.ts';
import { type Filter, filteredDimensions } from '../../query/filter.ts';

const KNOWN = DIMENSION_NAMES.filter((name) => /^visit(or)?:/.test(name)).join(', ');

/** The dimensions of the visit that something began in, or of its visitor; faults are noted. */
export function parseBeginnings(
  names: readonly string[],
  faults: Fault[],
): (VisitDimension | VisitorDimension)[] {
  return names.flatMap((name, index) => {
    const dimension = findDimension(name);
    if (dimension?.of === 'visit' || dimension?.of === 'visitor') return [dimension];
    const message = `${JSON.stringify(name)} is not a dimension that this is broken down by. Known: ${KNOWN}.`;
    faults.push({ path: `/dimensions/${index}`, message });
    return [];
  });
}

/** Notes a fault when a filter is about payments: what is counted here are people. */
export function refusePayments(filter: Filter, faults: Fault[]): void {
  const named = [...filteredDimensions(filter)].find(({ of }) => of === 'payment');
  if (named === undefined) return;
  const message = `People are counted here, who have no ${named.name}: filter by visit:*, visitor:* or event:*.`;
  faults.push({ path: '/filters', message });
}
