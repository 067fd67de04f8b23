/**
 * A visit before a payment or goal, as much of it as attribution models look at.
 *
 * - Units: `at` in milliseconds since 1970, UTC.
 */
export type Touch = {
  readonly at: number;
  /** Nothing says where the visit came from. */
  readonly isDirect: boolean;
  /** Where `data_driven` looks; never empty. */
  readonly channel: string;
};
