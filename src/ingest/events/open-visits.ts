import { VISIT_GAP_MS } from '#domain/visit/visit-gap.ts';
import type { OpenVisit } from '../ports.ts';
import { createTwoGenerations } from '../two-generations.ts';

type Opened = { readonly at: number; readonly visit: ReturnType<OpenVisit> };

/** Minimum number of cached visits; the maximum is twice as many. */
const OPENED_MAX = 20_000;

/**
 * Caches visits that requests have just opened, so that two concurrent requests share one visit even
 * though neither is on disk yet.
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
