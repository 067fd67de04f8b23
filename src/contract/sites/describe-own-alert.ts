import { DIMENSION_LABELS, METRIC_FORMS, type MetricName } from '../reports/catalog.ts';
import type { OwnAlert } from './own-alerts.ts';

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
