import { VISIT_GAP_MS } from '#domain/visit/visit-gap.ts';
import type { OpenVisit } from '../ports.ts';
import { createTwoGenerations } from './two-generations.ts';

type Opened = { readonly at: number; readonly visit: ReturnType<OpenVisit> };

/** How many visits are kept at least; twice as many at most. */
const OPENED_MAX = 20_000;

/**
 * The visits that requests have just opened, in memory: two requests at once, of which neither is on
 * disk yet, open one visit.
 */
export function createOpenVisits(): OpenVisit {
  const visits = createTwoGenerations<Opened>(OPENED_MAX);

  return (siteId, visitorId, at, fresh) => {
    const opened = visits.find(siteId, visitorId);
    const isOpen = opened !== undefined && Math.abs(at - opened.at) < VISIT_GAP_MS;
    const visit = isOpen ? opened.visit : fresh;
    visits.put(siteId, visitorId, { at, visit });
    return visit;
  };
}
