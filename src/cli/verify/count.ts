import { type QueryLimits, WHOLE_LIMITS } from '#warehouse/client/query-limits.ts';

/** One comparison between the warehouse and the other stores. */
export type Check = {
  /** A description of what is counted. */
  readonly what: string;
  /** The value from journals, archive and ledger, or a range: "5 to 7". */
  readonly expected: string;
  /** The warehouse's value. */
  readonly found: string;
  readonly agrees: boolean;
  /** Whether it agrees only because a rebuild accepted exactly this gap. */
  readonly isAccepted?: boolean;
  /** The difference, if it is of a kind that can be accepted. */
  readonly gap?: Gap;
} & Partial<Counted>;

type Gap = { readonly name: string; readonly least: number; readonly most: number };

/** The subject of a count by site, for programs: records of one type, in total or of one day. */
type Counted = {
  /** The domain, or the id if the ledger does not know the site. */
  readonly site: string;
  /** The type of events, `payment` or `refund`. */
  readonly type: string;
  readonly currency: string;
  /** In UTC. */
  readonly day: string;
};

/** Compares two values that must be equal. */
export function toCount(
  what: string,
  expected: bigint | number | string,
  found: bigint | number | string,
): Check {
  const texts = { expected: String(expected), found: String(found) };
  return { what, ...texts, agrees: texts.expected === texts.found };
}

const NOT_COMPARED = 'not compared';

/** A placeholder for a comparison that cannot be made; it counts as agreeing. */
export function toNotCompared(what: string, found: string = NOT_COMPARED): Check {
  return { what, expected: NOT_COMPARED, found, agrees: true };
}

/**
 * Limits for statements that read everything.
 *
 * They run as reports, so that visitor lookups for goals do not wait for them.
 */
export const RECOUNT_LIMITS: QueryLimits = { ...WHOLE_LIMITS, isReport: true };
