import { VISIT_GAP_MS } from '#domain/visit/visit-gap.ts';
import type { ClaimVisit } from './ports.ts';

type Claim = { readonly at: number; readonly visit: ReturnType<ClaimVisit> };

/** How many visits are kept at least; twice as many at most. */
const CLAIMS_MAX = 20_000;

/**
 * Claims of visits in memory, for the only web process: two requests at once, of which neither is on
 * disk yet, open one visit.
 *
 * - Why two generations: the older half is dropped at once, which needs no bookkeeping per visit.
 */
export function createVisitClaims(): ClaimVisit {
  let young = new Map<string, Claim>();
  let old = new Map<string, Claim>();

  return (siteId, visitorId, at, fresh) => {
    const name = `${siteId} ${visitorId}`;
    const known = young.get(name) ?? old.get(name);
    const isOpen = known !== undefined && Math.abs(at - known.at) < VISIT_GAP_MS;
    const visit = isOpen ? known.visit : fresh;
    if (young.size >= CLAIMS_MAX) {
      old = young;
      young = new Map();
    }
    young.set(name, { at, visit });
    return visit;
  };
}
