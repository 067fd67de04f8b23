/** Number of dropped events by site, reason and hour. */
export type DropCount = {
  readonly siteId: string;
  readonly reason: string;
  /** Start of the hour, in milliseconds. */
  readonly hourAt: number;
  readonly count: number;
};

/** A dropped event without personal data. */
export type DropSample = Omit<DropCount, 'count'> & {
  readonly type: string;
  readonly host: string;
  readonly path: string;
};

/** Dropped events of a site in a period. */
export type FoundDrops = {
  readonly counts: readonly DropCount[];
  readonly samples: readonly DropSample[];
};

/** Finds the dropped events of a site, by hour. */
export type FindDrops = (
  siteId: string,
  hours: { readonly from: number; readonly to: number },
) => Promise<FoundDrops>;
