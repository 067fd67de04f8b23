import type { KnownVisitor } from './known-visitor.ts';

/** Events with a gap of this or more belong to two visits. */
export const VISIT_GAP_MS = 30 * 60 * 1000;

/** The visit that a visitor is on at an instant, if any. */
export function findOpenVisit(
  visitor: KnownVisitor,
  atMs: number,
): { readonly visitId: string; readonly visitStartedAt: number } | undefined {
  const { visitId, visitStartedAt, lastEventAt } = visitor;
  if (visitId === undefined || Math.abs(atMs - lastEventAt) >= VISIT_GAP_MS) return undefined;
  return { visitId, visitStartedAt };
}
