import type { KnownVisitor } from './known-visitor.ts';

/** A gap of this length or more between events starts a new visit. */
export const VISIT_GAP_MS = 30 * 60 * 1000;

/** The visitor's open visit at an instant, if any. */
export function findOpenVisit(
  visitor: KnownVisitor,
  atMs: number,
): { readonly visitId: string; readonly visitStartedAt: number } | undefined {
  const { visitId, visitStartedAt, lastEventAt } = visitor;
  if (visitId === undefined || Math.abs(atMs - lastEventAt) >= VISIT_GAP_MS) return undefined;
  return { visitId, visitStartedAt };
}
