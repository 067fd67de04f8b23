/**
 * The state of a visitor who was seen before on a site.
 *
 * - Units: instants are milliseconds since 1970 in UTC.
 */
export type KnownVisitor = {
  /** Empty if not a bot. */
  readonly botClass: string;
  readonly hasPageview: boolean;
  /** The visitor's latest visit. */
  readonly visitId: string | undefined;
  readonly visitStartedAt: number;
  readonly lastEventAt: number;
};
