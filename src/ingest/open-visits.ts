import { VISIT_GAP_MS } from '#domain/visit/visit-gap.ts';
import type { OpenVisit } from './ports.ts';

type Opened = { readonly at: number; readonly visit: ReturnType<OpenVisit> };

/** How many visits are kept at least; twice as many at most. */
const OPENED_MAX = 20_000;

/**
 * The visits that requests have just opened, in memory: two requests at once, of which neither is on
 * disk yet, open one visit.
 *
 * - Why two generations: the older half is dropped at once, which needs no bookkeeping per visit.
 */
export function createOpenVisits(): OpenVisit {
  let young = new Map<string, Opened>();
  let old = new Map<string, Opened>();

  return (siteId, visitorId, at, fresh) => {
    const name = `${siteId} ${visitorId}`;
    const opened = young.get(name) ?? old.get(name);
    const isOpen = opened !== undefined && Math.abs(at - opened.at) < VISIT_GAP_MS;
    const visit = isOpen ? opened.visit : fresh;
    if (young.size >= OPENED_MAX) {
      old = young;
      young = new Map();
    }
    young.set(name, { at, visit });
    return visit;
  };
}
