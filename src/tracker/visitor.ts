import { findCookie, saveCookie } from './cookies.ts';
import { mintId } from './mint-id.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;
/** A visit ends with the first gap of 30 minutes. */
const VISIT_GAP_SECONDS = 30 * 60;

/** The ids of this page, for browsers that keep no cookies. */
const minted: Record<string, string> = {};

/** The visitor's id, which the site's backend reads from the same cookie. */
export function recallVisitor(): string {
  return recallId('service_visitor_id', 4, YEAR_SECONDS);
}

/** The id of the open visit, prolonged by this event, or of a new one. All tabs share it. */
export function recallVisit(): string {
  return recallId('tributary_visit', 7, VISIT_GAP_SECONDS);
}

function recallId(name: string, version: 4 | 7, maxAgeSeconds: number): string {
  const id = findCookie(name) ?? minted[name] ?? mintId(version);
  saveCookie(name, id, maxAgeSeconds);
  if (!findCookie(name)) minted[name] = id;
  return id;
}
