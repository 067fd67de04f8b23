/** Weights that give all to one of a path's touches. */
export function onlyTouch(length: number, wanted: number): number[] {
  return Array.from({ length }, (_, position) => (position === wanted ? 1 : 0));
}
