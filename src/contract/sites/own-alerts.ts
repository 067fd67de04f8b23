import Type, { type Static } from 'typebox';
import type { Fault } from '../fault.ts';
import { optional } from '../optional.ts';
import { NAME_PATTERN } from '../patterns.ts';
import { NameOf, QUERY_FIELDS, Strict } from '../query-fields.ts';
import { DIMENSION_LABELS, METRIC_FORMS, type MetricName } from '../reports/catalog.ts';

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
const OWN_ALERT_KINDS = Object.keys(NEEDED_BY_KIND) as OwnAlertKind[];
/** One of {@link OWN_ALERT_KINDS}. */
export type OwnAlertKind = keyof typeof NEEDED_BY_KIND;

/** The fields that it may have. */
export const MAY_HAVE = {
  ...{ below: ['filters'], above: ['filters'], changed: ['filters'], payment: ['amount'] },
} as Readonly<Partial<Record<OwnAlertKind, readonly string[]>>>;

const HOURS_MAX = 31 * 24;
/** How many alerts of its own a site may have. */
export const OWN_ALERTS_MAX = 20;

/** An alert that a site's admins have put into words. */
export const OwnAlert = Strict(
  {
    when: Type.Enum(OWN_ALERT_KINDS, {
      description:
        '`below`, `above`: the `metric` of yesterday is below or above `value`. `changed`: it differs from the same weekday of the week before by more than `percent`. `goal`, `payment`: the `goal`, or a payment of at least `amount`, as it happens; further ones within 15 minutes are counted in one message. `no_goal`, `no_payment`: none for `hours`.',
    }),
    ...optional({
      metric: NameOf(['metric'], 'A metric, such as `revenue`.'),
      value: Type.Number({ description: 'Money in the site’s currency; of a rate, percent.' }),
      percent: Type.Number({ minimum: 1, maximum: 10_000 }),
      goal: Type.String({ pattern: NAME_PATTERN }),
      amount: Type.Number({
        ...{ minimum: 0, maximum: 1_000_000_000_000 },
        description: 'In the site’s currency.',
      }),
      hours: Type.Integer({ minimum: 1, maximum: HOURS_MAX }),
    }),
    filters: QUERY_FIELDS.filters,
  },
  'OwnAlert',
);
export type OwnAlert = Static<typeof OwnAlert>;

/** What an alert lacks, and what it has in vain. Paths begin with that of the alert. */
export function findOwnAlertFaults(alert: OwnAlert, path: string): Fault[] {
  const { when, ...given } = alert;
  const needed: readonly string[] = NEEDED_BY_KIND[when];
  const known = [...needed, ...(MAY_HAVE[when] ?? [])];
  const missing = needed.filter((name) => !(name in given));
  const vain = Object.keys(given).filter((name) => !known.includes(name));
  return [
    ...missing.map((name) => ({ path: `${path}/${name}`, message: `is required for ${when}` })),
    ...vain.map((name) => ({ path: `${path}/${name}`, message: `does not belong to ${when}` })),
  ];
}

/** Formats a metric's value, as somebody reads it. */
type FormatValue = (metric: MetricName, value: number) => string;

/** A filter of the query API. */
type Filter = readonly unknown[];

/** An alert in words: `Daily revenue below €100.00, where Source is Google`. */
export function describeOwnAlert(
  alert: OwnAlert,
  format: FormatValue,
  phrase: (filter: Filter) => string = phraseFilter,
): string {
  const { when, metric = '', value = 0, percent = 0, goal = '', amount = 0, hours = 0 } = alert;
  const name = metric as MetricName;
  const label = METRIC_FORMS[name]?.label ?? metric;
  const inSentence = /^[A-Z]{2}/.test(label) ? label : label.toLowerCase(); // ROAS stays.
  const { filters = [] } = alert;
  const where = filters.length === 0 ? '' : `, where ${filters.map(phrase).join(' and ')}`;
  const long = hours === 1 ? 'an hour' : `${hours} hours`;
  switch (when) {
    case 'below':
    case 'above':
      return `Daily ${inSentence} ${when} ${format(name, value)}${where}`;
    case 'changed':
      return `Daily ${inSentence} more than ${percent}% off the week before${where}`;
    case 'goal':
      return `Goal ${goal} is reached`;
    case 'no_goal':
      return `No goal ${goal} for ${long}`;
    case 'payment':
      return amount === 0 ? 'A payment' : `A payment of at least ${format('revenue', amount)}`;
    case 'no_payment':
      return `No payment for ${long}`;
  }
}

/** `Source is Google or Bing`: a filter that has filters inside, by its operator alone. */
function phraseFilter([operator, dimension, values]: Filter): string {
  const words = String(operator).replaceAll('_', ' ');
  if (typeof dimension !== 'string' || !Array.isArray(values)) return words;
  const label = new Map<string, string>(Object.entries(DIMENSION_LABELS)).get(dimension);
  return `${label ?? dimension} ${words} ${values.join(' or ')}`;
}
