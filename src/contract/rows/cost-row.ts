/**
 * One row of the warehouse's `costs`: what was spent on a campaign on a day.
 *
 * - Units: `day` as `2026-11-21`, of the site's time zone. 64-bit integers are strings.
 */
export type CostRow = {
  readonly site_id: string;
  readonly day: string;
  readonly source: string;
  readonly medium: string;
  readonly campaign: string;
  readonly channel: string;
  readonly amount_minor: string;
  readonly currency: string;
  readonly version: string;
  /** Deletes the row's earlier version. */
  readonly is_deleted?: 1;
};
