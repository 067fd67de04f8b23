import type { SentQuery } from '#contract/query.ts';
import { METRIC_FORMS } from '#contract/reports/catalog.ts';
import type { AlertKind, OwnAlertKind } from '#contract/sites/alert-kinds.ts';
import { HOUR_MS } from '#domain/time/durations.ts';
import { zonedAt } from '#domain/time/period.ts';
import type { Ask, NotifiedSite } from './ask-figures.ts';
import { format, formatChange, formatValue, inCurrency, valueToNumber } from './format.ts';
import { findUnusual } from './unusual.ts';

/** An alert: what happened in a few words, and its message. */
export type Alert = {
  readonly kind: AlertKind | OwnAlertKind;
  readonly title: string;
  readonly message: string;
};

/** The dependencies of looking for alerts. */
export type Looked = {
  readonly ask: Ask;
  readonly findDrops: (
    siteId: string,
    hours: { readonly from: number; readonly to: number },
  ) => Promise<{ readonly counts: readonly { readonly reason: string; readonly count: number }[] }>;
};

const WEEKS = 8;
/** Fewer visitors or payments a day are too little to judge by. */
const [VISITORS_MIN, PAYMENTS_MIN] = [20, 5];
const QUIET_HOURS = 3;
const QUIET_WEEKS = 4;
/** With at least this many usual visitors, three quiet hours are practically never chance. */
const QUIET_VISITORS_MIN = 15;
const DROPS_MIN = 100;
const DROPS_SHARE_MIN = 0.1;

/** Finds current alerts of the given kinds. Throws if the warehouse does not answer. */
export async function findAlerts(
  { ask, findDrops }: Looked,
  site: NotifiedSite,
  kinds: readonly string[],
  now: number,
): Promise<readonly Alert[]> {
  const found: (Alert | undefined)[] = [];
  if (kinds.includes('traffic') || kinds.includes('revenue')) {
    found.push(...(await findUnusualDay(ask, site, now)));
  }
  if (kinds.includes('no_traffic')) found.push(await findSilence(ask, site, now));
  if (kinds.includes('dropped_events')) found.push(await findManyDrops(ask, findDrops, site, now));
  return found.filter((alert) => alert !== undefined && kinds.includes(alert.kind)) as Alert[];
}

/** Compares yesterday with the same weekday of previous weeks. */
async function findUnusualDay(ask: Ask, site: NotifiedSite, now: number) {
  const today = zonedAt(now, site.timezone).toPlainDate();
  const yesterday = today.subtract({ days: 1 });
  const { results } = await ask(site, {
    site_id: site.domain,
    date_range: [`${yesterday.subtract({ weeks: WEEKS })}`, `${yesterday}`],
    ...{ metrics: ['visitors', 'revenue', 'payments'], dimensions: ['time:day'] },
  } as SentQuery);
  const byDay = new Map(results.map(({ dimensions: [day = ''], metrics }) => [day, metrics]));
  const weeks = Array.from({ length: WEEKS + 1 }, (_, back) => {
    const values = byDay.get(`${yesterday.subtract({ weeks: back })}`) ?? [];
    return values.map((value) => value as Parameters<typeof valueToNumber>[0]);
  });
  const [own = [], ...all] = weeks;
  // Weeks before the site's first visitor do not count.
  const before = all.slice(
    0,
    all.findLastIndex(([visitors]) => valueToNumber(visitors ?? null) > 0) + 1,
  );
  const of = (at: number) => before.map((values) => valueToNumber(values[at] ?? null));
  const traffic = findUnusual(valueToNumber(own[0] ?? null), of(0), { countMin: VISITORS_MIN });
  const money = { countMin: PAYMENTS_MIN, units: of(2) };
  const revenue = findUnusual(valueToNumber(own[1] ?? null), of(1), money);
  const toAlert = (kind: 'traffic' | 'revenue', at: 0 | 1, expected: number): Alert => {
    const metric = kind === 'traffic' ? 'visitors' : 'revenue';
    const [value = null, label] = [own[at], METRIC_FORMS[metric].label];
    const usual = at === 0 ? expected : inCurrency(expected, site.currency);
    const change = formatChange(metric, valueToNumber(value), expected) || format(value);
    return {
      kind,
      title: `${label} ${change} yesterday on ${site.domain}`,
      message: `${label} of ${site.domain} on ${yesterday}: ${format(value)}. Usual on that weekday: ${formatValue(metric, usual)}.`,
    };
  };
  return [
    traffic && toAlert('traffic', 0, traffic.expected),
    revenue && toAlert('revenue', 1, revenue.expected),
  ];
}

async function findSilence(ask: Ask, site: NotifiedSite, now: number): Promise<Alert | undefined> {
  const visitorsOf = async (weeksBack: number) => {
    const end = zonedAt(now, site.timezone).subtract({ weeks: weeksBack }).epochMilliseconds;
    return countVisitors(ask, site, end - QUIET_HOURS * HOUR_MS, end);
  };
  if ((await visitorsOf(0)) > 0) return undefined;
  for (let back = 1; back <= QUIET_WEEKS; back++) {
    if ((await visitorsOf(back)) < QUIET_VISITORS_MIN) return undefined;
  }
  const message = `${site.domain} has had no visitors for ${QUIET_HOURS} hours. In each of the previous ${QUIET_WEEKS} weeks it had visitors at this time. Check that the site is up and that the tag is still in its pages.`;
  const title = `No visitors for ${QUIET_HOURS} hours on ${site.domain}`;
  return { kind: 'no_traffic', title, message };
}

async function findManyDrops(
  ask: Ask,
  findDrops: Looked['findDrops'],
  site: NotifiedSite,
  now: number,
): Promise<Alert | undefined> {
  const from = now - 2 * HOUR_MS;
  const { counts } = await findDrops(site.id, { from, to: now + HOUR_MS });
  const dropped = counts.reduce((sum, { count }) => sum + count, 0);
  if (dropped < DROPS_MIN) return undefined;
  const recorded = await countVisitors(ask, site, from, now, 'events');
  if (dropped < DROPS_SHARE_MIN * (dropped + recorded)) return undefined;
  const [most] = counts.toSorted((a, b) => b.count - a.count);
  const why = (most?.reason ?? '').replaceAll('_', ' ');
  const message = `${format(dropped)} events of ${site.domain} were dropped in the last two hours. The most frequent reason: ${why}. Settings → Health says how to fix it.`;
  const title = `${format(dropped)} events dropped on ${site.domain}`;
  return { kind: 'dropped_events', title, message };
}

async function countVisitors(
  ask: Ask,
  site: NotifiedSite,
  from: number,
  to: number,
  metric: 'visitors' | 'events' = 'visitors',
): Promise<number> {
  const range = [from, to].map((at) => new Date(at).toISOString());
  const { results } = await ask(site, {
    ...{ site_id: site.domain, date_range: range, metrics: [metric] },
  } as unknown as SentQuery);
  return valueToNumber((results[0]?.metrics[0] ?? null) as number | null);
}
