import type { MetricValue, SentQuery } from '#contract/query.ts';
import { METRIC_FORMS, type MetricName } from '#contract/reports/catalog.ts';
import { describeOwnAlert } from '#contract/sites/describe-own-alert.ts';
import type { OwnAlert } from '#contract/sites/own-alerts.ts';
import type { KeptAlert } from '#domain/account/notices.ts';
import { assert } from '#domain/assert.ts';
import { findCurrency } from '#domain/money/currencies.ts';
import { formatAmount } from '#domain/money/format-amount.ts';
import { parseAmount } from '#domain/money/parse-amount.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/time/durations.ts';
import { zonedAt } from '#domain/time/period.ts';
import type { CountedNews } from '#report/live/count-news.ts';
import type { Ask, NotifiedSite } from './ask-figures.ts';
import type { Alert } from './find-alerts.ts';
import { format, formatChange, formatValue, inCurrency, valueToNumber } from './format.ts';

/** The dependencies of looking at an alert of one's own. */
export type OwnLooked = {
  readonly ask: Ask;
  /** Counts what was accepted in a window, of which the warehouse has all. Throws if it has not. */
  readonly countNews: (
    site: NotifiedSite,
    wanted: CountedNews,
    window: { readonly after: number; readonly until: number },
  ) => Promise<{ readonly count: number; readonly minor: bigint }>;
};

/** How far an alert has come, and what there is to tell. */
type Step = { readonly to: Partial<KeptAlert>; readonly alert?: Omit<Alert, 'kind'> };

/** Repeats within this time share one message. */
const FLOOD_MS = 15 * MINUTE_MS;
/** What was accepted this long ago is on its way to the warehouse, in its order: providers' events take some seconds. */
const SETTLED_MS = 20_000;
/** Without news, a window is moved on when it is this long. */
const WINDOW_MAX_MS = HOUR_MS;

/** Whether an alert is looked at every minute, as what it is about happens. Others wait for the next round of alerts. */
export function isOfEvents({ when }: OwnAlert): boolean {
  return when === 'goal' || when === 'payment';
}

/** Looks at an alert of one's own. Nothing comes of most looks. Throws if the warehouse does not answer. */
export async function lookAtOwn(
  deps: OwnLooked,
  site: NotifiedSite,
  kept: KeptAlert,
  now: number,
): Promise<Step | undefined> {
  const alert = JSON.parse(kept.rule) as OwnAlert;
  if (isOfEvents(alert)) return findNews(deps, site, { alert, kept, now });
  const { hours } = alert;
  return hours === undefined
    ? findDay(deps, site, { alert, kept, now })
    : findSilence(deps, site, { alert, kept, now, hours });
}

type Looking = { readonly alert: OwnAlert; readonly kept: KeptAlert; readonly now: number };

/** Counts what has happened since the last message. */
async function findNews(
  { countNews }: OwnLooked,
  site: NotifiedSite,
  { alert, kept, now }: Looking,
): Promise<Step | undefined> {
  if (now < kept.toldAt + FLOOD_MS) return undefined;
  const window = { after: kept.seenUntil, until: now - SETTLED_MS };
  if (window.until <= window.after) return undefined;
  const { count, minor } = await countNews(site, toCounted(alert, site), window);
  const to = { seenUntil: window.until };
  if (count === 0) return window.until - window.after > WINDOW_MAX_MS ? { to } : undefined;
  const since = zonedAt(window.after, site.timezone).toPlainDateTime();
  const times = count === 1 ? '' : ` ${format(count)} times`;
  const sum = format(toMoneyOf(minor, site));
  const [title, what] =
    alert.when === 'goal'
      ? [`Goal ${alert.goal}${times} on ${site.domain}`, `Goal ${alert.goal}: ${format(count)}`]
      : [
          `${count === 1 ? 'Payment' : `${format(count)} payments`} of ${sum} on ${site.domain}`,
          `Payments: ${format(count)}, ${sum}`,
        ];
  const message = `${what} since ${since.toString({ smallestUnit: 'minute' }).replace('T', ' ')}, ${site.timezone}.`;
  return { to: { ...to, toldAt: now }, alert: { title, message } };
}

/** Whether something has not happened for some hours, and had the time to. */
async function findSilence(
  { countNews }: OwnLooked,
  site: NotifiedSite,
  { alert, kept, now, hours }: Looking & { readonly hours: number },
): Promise<Step | undefined> {
  const after = now - hours * HOUR_MS;
  if (after < kept.seenUntil) return undefined; // It was made later than that.
  const { count } = await countNews(site, toCounted(alert, site), { after, until: now });
  if (count > 0) return kept.told === '' ? undefined : { to: { told: '' } };
  if (kept.told !== '') return undefined;
  const words = toWords(alert, site);
  const message = `${words} on ${site.domain}. Check that pages and backend still report it.`;
  return {
    to: { told: 'silence', toldAt: now },
    alert: { title: `${words} on ${site.domain}`, message },
  };
}

/** Compares yesterday with the threshold, until a message has reported it. */
async function findDay(
  { ask }: OwnLooked,
  site: NotifiedSite,
  { alert, kept, now }: Looking,
): Promise<Step | undefined> {
  const today = zonedAt(now, site.timezone).startOfDay();
  const yesterday = `${today.subtract({ days: 1 }).toPlainDate()}`;
  const isOver = today.epochMilliseconds <= kept.seenUntil; // Before it was made.
  if (isOver || kept.told === yesterday) return undefined;
  const metric = alert.metric as MetricName;
  const [value, before] = await askForDays(ask, site, alert, yesterday);
  const change = formatChange(metric, valueToNumber(value), valueToNumber(before));
  if (value === null || !isBeyond(alert, valueToNumber(value), valueToNumber(before)))
    return undefined;
  const { label } = METRIC_FORMS[metric];
  const shown = formatValue(metric, value);
  const told = alert.when === 'changed' ? change : shown;
  const earlier = before === null ? '' : ` A week before: ${formatValue(metric, before)}.`;
  return {
    to: { told: yesterday, toldAt: now },
    alert: {
      title: `${label} ${told} yesterday on ${site.domain}`,
      message: `${label} of ${site.domain} on ${yesterday}: ${shown}.${earlier} Your alert: ${toWords(alert, site)}.`,
    },
  };
}

/** The values of a day and of the same weekday a week before. */
async function askForDays(
  ask: Ask,
  site: NotifiedSite,
  { metric = '', filters }: OwnAlert,
  day: string,
): Promise<readonly [MetricValue, MetricValue]> {
  const earlier = `${Temporal.PlainDate.from(day).subtract({ weeks: 1 })}`;
  const { results } = await ask(site, {
    ...{ site_id: site.domain, metrics: [metric], date_range: [day, day] },
    ...(filters && { filters }),
    include: { compare: [earlier, earlier] },
  } as SentQuery);
  return [results[0]?.metrics[0] ?? null, results[0]?.comparison?.metrics[0] ?? null];
}

/** Asks what an alert about days will ask, for its errors: no such metric, or filter. */
export async function tryOwn(
  ask: Ask,
  site: NotifiedSite,
  alert: OwnAlert,
  now: number,
): Promise<void> {
  if (alert.metric === undefined) return;
  await askForDays(ask, site, alert, `${zonedAt(now, site.timezone).toPlainDate()}`);
}

function isBeyond({ when, value = 0, percent = 0 }: OwnAlert, own: number, before: number) {
  if (when === 'below') return own < value;
  if (when === 'above') return own > value;
  return before !== 0 && 100 * Math.abs(own - before) > percent * Math.abs(before);
}

function toCounted({ goal, amount = 0 }: OwnAlert, { currency }: NotifiedSite): CountedNews {
  if (goal !== undefined) return { goal };
  const parsed = parseAmount(String(amount), currencyOf(currency));
  assert(parsed.ok, 'the schema limits amounts');
  return { fromMinor: parsed.value.minor };
}

function toMoneyOf(minor: bigint, { currency }: NotifiedSite) {
  return { value: formatAmount(minor, currencyOf(currency)), currency };
}

function currencyOf(code: string) {
  const currency = findCurrency(code);
  assert(currency !== undefined, 'a site has a known currency');
  return currency;
}

function toWords(alert: OwnAlert, { currency }: NotifiedSite): string {
  return describeOwnAlert(alert, (metric, value) =>
    METRIC_FORMS[metric].unit === 'money'
      ? format(inCurrency(value, currency))
      : formatValue(metric, value),
  );
}
