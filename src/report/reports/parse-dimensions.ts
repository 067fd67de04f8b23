import type { Fault } from '#contract/fault.ts';
import { DIMENSION_NAMES, findDimension } from '../catalog.ts';
import type { Dimension, ListedDimension } from '../dimension.ts';

/** The dimensions that `what` is broken down by, of these kinds alone; faults are noted. */
export function parseDimensions<Kind extends 'visit' | 'visitor' | 'payment'>(
  names: readonly string[],
  { what, kinds }: { readonly what: string; readonly kinds: readonly Kind[] },
  faults: Fault[],
): Extract<Dimension, { readonly of: Kind }>[] {
  const isMeant = (each: ListedDimension): each is Extract<Dimension, { readonly of: Kind }> =>
    kinds.some((kind) => kind === each.of);
  return names.flatMap((name, index) => {
    const dimension = findDimension(name);
    if (dimension !== undefined && isMeant(dimension)) return [dimension];
    const known = DIMENSION_NAMES.filter((each) => kinds.some((of) => each.startsWith(`${of}:`)));
    const message = `${JSON.stringify(name)} is not a dimension that ${what} broken down by. Known: ${known.join(', ')}.`;
    faults.push({ path: `/dimensions/${index}`, message });
    return [];
  });
}
