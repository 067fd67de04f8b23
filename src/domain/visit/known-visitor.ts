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
  /** The class of the latest visit, which all its events share; undefined if unknown. */
  readonly visitClass?: VisitClass | undefined;
};

/** Whether a visit is a bot's, and why. Both are empty if it is not. */
export type VisitClass = { readonly botClass: string; readonly botReason: string };
