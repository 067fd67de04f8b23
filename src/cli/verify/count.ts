import { type QueryLimits, WHOLE_LIMITS } from '#warehouse/query-limits.ts';

/** One count, made in two places that must agree. */
export type Count = {
  /** What is counted, in words. */
  readonly what: string;
  /** What journals, archive and ledger say: one value, or "from … to …". */
  readonly expected: string;
  /** What the warehouse has. */
  readonly found: string;
  readonly agrees: boolean;
  /** Whether it agrees because a rebuild accepted exactly this gap. */
  readonly isAccepted?: boolean;
  /** What is missing when it does not agree, where that can be accepted. */
  readonly gap?: Gap;
} & Partial<Counted>;

/** Something that is missing, under a name that stays, and how much of it; below zero is too much. */
export type Gap = { readonly name: string; readonly least: number; readonly most: number };

/** What a count by site is about, for programs: the records of one type, of all days or of one. */
export type Counted = {
  /** The domain; the id of a site that the ledger does not know. */
  readonly site: string;
  /** The type of events, `payment` or `refund`. */
  readonly type: string;
  readonly currency: string;
  /** In UTC. */
  readonly day: string;
};

/** The count of two values that must be the same. */
export function toCount(
  what: string,
  expected: bigint | number | string,
  found: bigint | number | string,
): Count {
  const texts = { expected: String(expected), found: String(found) };
  return { what, ...texts, agrees: texts.expected === texts.found };
}

const NOT_COMPARED = 'not compared';

/** Stands for a count that cannot be made, and differs from nothing. */
export function toNotCompared(what: string, found: string = NOT_COMPARED): Count {
  return { what, expected: NOT_COMPARED, found, agrees: true };
}

/**
 * A recount reads everything.
 *
 * Why like a report: the look-up of a visitor for a goal does not wait for it.
 */
export const RECOUNT_LIMITS: QueryLimits = { ...WHOLE_LIMITS, isReport: true };
