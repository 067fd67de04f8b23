import type { Bucket } from './buckets.ts';

/** Something that people noted about a moment. */
export type Annotation = {
  /** A day, `2026-11-09`, or a moment of the site's wall clock, `2026-11-09 14:00:00`. */
  readonly at: string;
  readonly text: string;
};

/** The notes of each bucket that has some, by the bucket's place. */
export function placeAnnotations(
  annotations: readonly Annotation[],
  buckets: readonly Bucket[],
): ReadonlyMap<number, string> {
  const placed = new Map<number, string>();
  for (const { at, text } of annotations) {
    const onIt = buckets.findIndex(({ label }) => label.startsWith(at));
    const index = onIt >= 0 ? onIt : buckets.findLastIndex(({ label }) => label <= at);
    if (index >= 0) placed.set(index, [placed.get(index), text].filter(Boolean).join(' · '));
  }
  return placed;
}
