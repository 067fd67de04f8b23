/** Kinds of alerts. */
export const ALERT_KINDS = ['traffic', 'revenue', 'no_traffic', 'dropped_events'] as const;
/** One of {@link ALERT_KINDS}. */
export type AlertKind = (typeof ALERT_KINDS)[number];

/** The fields that each kind of an alert of one's own needs. */
export const NEEDED_BY_KIND = {
  below: ['metric', 'value'],
  above: ['metric', 'value'],
  changed: ['metric', 'percent'],
  goal: ['goal'],
  no_goal: ['goal', 'hours'],
  payment: [],
  no_payment: ['hours'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Kinds of alerts of one's own. */
export const OWN_ALERT_KINDS = Object.keys(NEEDED_BY_KIND) as OwnAlertKind[];
/** One of {@link OWN_ALERT_KINDS}. */
export type OwnAlertKind = keyof typeof NEEDED_BY_KIND;

/** The fields that it may have. */
export const MAY_HAVE = {
  ...{ below: ['filters'], above: ['filters'], changed: ['filters'], payment: ['amount'] },
} as Readonly<Partial<Record<OwnAlertKind, readonly string[]>>>;
