/** Reasons to drop an event. */
export const DROP_REASONS = [
  'invalid_event',
  'unknown_site',
  'site_of_another_key',
  'visitor_missing',
  'hostname_not_allowed',
  'occurred_at_out_of_range',
  'identity_conflict',
  'identity_unsigned',
  'excluded',
] as const;
/** One of {@link DROP_REASONS}. */
export type DropReason = (typeof DROP_REASONS)[number];

/** Number of dropped events by site, reason and hour. */
export type DropCount = {
  readonly siteId: string;
  readonly reason: DropReason;
  /** Start of the hour, in milliseconds. */
  readonly hourAt: number;
  readonly count: number;
};

/** A dropped event without personal data. */
export type DropSample = Omit<DropCount, 'count'> &
  Readonly<Record<'type' | 'host' | 'path', string>>;

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

/** The hosts that a site still does not allow, of events that name one: pages of a file have none. */
export function refusedHostsOf(samples: readonly DropSample[], allowed: readonly string[]) {
  const isRefused = (host: string) => host !== '' && !allowed.includes(host.replace(/:\d+$/, ''));
  const hosts = samples.map(({ reason, host }) => (reason === 'hostname_not_allowed' ? host : ''));
  return [...new Set(hosts)].filter(isRefused).sort();
}
