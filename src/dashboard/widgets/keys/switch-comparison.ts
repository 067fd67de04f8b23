import type { View } from '../../address/address.ts';

/** The comparison turned off, or on again. */
export function switchComparison({ compare }: View): Pick<View, 'compare'> {
  return { compare: compare === 'off' ? 'previous' : 'off' };
}
