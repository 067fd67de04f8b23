import { toOwnName } from '#contract/plausible-names.ts';
import { DIMENSION_LABELS } from '#contract/reports/catalog.ts';

/** Whether the API filters by this dimension, which may have Plausible's name. */
export function isFilterDimension(dimension: string): boolean {
  if (/^event:props:[a-z0-9_-]{1,64}$/.test(dimension)) return true;
  const own = toOwnName(dimension);
  return Object.hasOwn(DIMENSION_LABELS, own) && !/^time|^event:property$/.test(own);
}
