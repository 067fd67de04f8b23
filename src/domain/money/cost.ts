import type { Acquisition } from '../acquisition/acquisition.ts';

/** What one cost was spent on, and when: a day in the site's time zone, as `2026-11-21`. */
type CostKey = Pick<Acquisition, 'source' | 'medium' | 'campaign'> & { readonly day: string };

/** Money spent on a campaign on one day. A later cost with the same {@link CostKey} replaces it. */
export type Cost = CostKey & {
  /** The default channel of visits with this source, medium and campaign. */
  readonly channel: string;
  readonly amountMinor: bigint;
  readonly currency: string;
};

/** How costs are recorded. */
export type CostChange = {
  /** The costs are all of their days and sources: others of the same day and source are removed. */
  readonly isWhole: boolean;
  /** Counts what would change, and changes nothing. */
  readonly isTrial?: boolean;
  /** The file that they come from; undefined for the API. */
  readonly file?: string;
};

/** What came of recorded costs. */
export type CostOutcome = {
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Other costs of the same days and sources, which are kept. */
  readonly kept: number;
  /** Identifies the import, if the costs came from a file. */
  readonly importId?: string;
};

/** The costs of an import that no later one has replaced. */
export type CostImport = {
  readonly id: string;
  readonly siteId: string;
  readonly file: string;
  readonly importedAt: number;
  readonly costs: number;
  readonly firstDay: string | undefined;
  readonly lastDay: string | undefined;
  readonly sums: readonly { readonly currency: string; readonly amountMinor: bigint }[];
};

/** Which costs to remove: those of an import, or of days, both ends included. */
export type CostRange =
  | { readonly importId: string }
  | { readonly from: string; readonly until: string; readonly source?: string | undefined };

/** A text that tells costs apart. */
export function toCostKey({ day, source, medium, campaign }: CostKey): string {
  return [day, source, medium, campaign].join('\0');
}
