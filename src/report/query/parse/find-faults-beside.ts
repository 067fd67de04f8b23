import type { Fault } from '#contract/fault.ts';
import type { Result } from '#domain/result.ts';
import type { Refusal } from '../../refusal.ts';

/**
 * What `parse` finds wrong with the well-formed fields of a body that has faults of form elsewhere:
 * names that are not there, a range or a zone that is none.
 *
 * - Shape: `faults` are those of the form, found before; they are not repeated. `defaults` stand for what is malformed or missing.
 */
export function findFaultsBeside<Asked extends object>(
  sent: unknown,
  faults: readonly Fault[],
  defaults: Asked,
  parse: (asked: Asked) => Result<unknown, Refusal>,
): readonly Fault[] {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return [];
  const malformed = new Set(faults.map(({ path }) => path.split('/')[1]));
  const wellFormed = Object.entries(sent).filter(([field]) => !malformed.has(field));
  const parsed = parse({ ...defaults, ...(Object.fromEntries(wellFormed) as Partial<Asked>) });
  return parsed.ok ? [] : parsed.error.details;
}
