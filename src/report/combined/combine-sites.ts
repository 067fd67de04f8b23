import type { SentQuery } from '#contract/query.ts';
import type { MetricName } from '#contract/reports/catalog.ts';
import { type CombinedAnswer, type CombinedQuery, isShared } from '#contract/reports/combined.ts';
import { findCurrency } from '#domain/money/currencies.ts';
import type { RateSpan } from '#domain/money/rates/exchange-rates.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { bucketUnitFor } from '#domain/time/buckets.ts';
import type { Period } from '#domain/time/period.ts';
import { asShown, type Refusal, type Stops } from '../ports.ts';
import type { Breakdowns } from '../query/answer/answer-query.ts';
import type { FindOldRates } from '../query/answer/look-up.ts';
import { parseQuery } from '../query/parse/parse-query.ts';
import { askSite, type CombinedSite, type SiteDays } from './ask-site.ts';
import { toCombinedAnswer } from './to-combined-answer.ts';

/** Answers a query over several sites. */
type CombineSites = (
  sites: readonly CombinedSite[],
  asked: CombinedQuery,
  stops?: Stops,
) => Promise<Result<CombinedAnswer, Refusal>>;

type Parts = {
  readonly breakdowns: Pick<Breakdowns, 'answer'>;
  /** When which rate of a currency applies. */
  readonly spansOf: (code: string) => readonly RateSpan[];
  readonly findOldRates: FindOldRates;
  readonly now: () => number;
};

/** Sites asked at once: each has a few queries, and others wait for their turn, too. */
const AT_ONCE = 3;
const NO_TIME = 'must be time, or an hour, day, week or month of it.';
const NO_CURRENCY = 'must be an ISO 4217 code, such as EUR.';

/**
 * Creates the query over several sites: each is asked on its own, in its own time zone, and what they answer is added up.
 * Money is converted at the rate of its day. Visitors of different sites are different people.
 */
export function createCombineSites(parts: Parts): CombineSites {
  return async (given, asked, stops) => {
    const sites = given.map((site) => ({ ...asShown(site), domain: site.domain }));
    const currency = asked.currency ?? sites[0]?.currency ?? '';
    if (findCurrency(currency) === undefined) return refuseAt('/currency', NO_CURRENCY);
    const [named = 'site'] = asked.dimensions ?? [];
    if (isShared(named) && named.startsWith('time')) return refuseAt('/dimensions/0', NO_TIME);
    const days = await inTurns(sites, (site) => findDays(parts, site, asked, stops));
    if (!days.ok) return days;
    const dimension = withUnit(named, days.value);
    const metrics = toAdded(asked.metrics);
    const answered = await inTurns(days.value, async (own) => {
      const { site, period, compared } = own;
      const converting = { from: site.currency, to: currency, spansOf: parts.spansOf };
      const { filters, attribution } = asked;
      const all = { site, metrics, dimension, filters, attribution, converting };
      const ask = (sent: SentQuery) => parts.breakdowns.answer(site, sent, stops);
      const now = await askSite({ ...all, period }, ask);
      if (!now.ok || compared === undefined) return now.ok ? ok({ ...own, now: now.value }) : now;
      const earlier = await askSite({ ...all, period: compared.part }, ask);
      return earlier.ok ? ok({ ...own, now: now.value, earlier: earlier.value }) : earlier;
    });
    if (!answered.ok) return answered;
    const isConverted = sites.some((site) => site.currency !== currency);
    const ratesUntil = isConverted ? parts.findOldRates() : undefined;
    const how = { asked, metrics, dimension, currency, ratesUntil };
    return ok(toCombinedAnswer(answered.value, how));
  };
}

/** The site's days of the period. For all time, since its records begin. */
async function findDays(
  { breakdowns, now }: Parts,
  site: CombinedSite,
  { metrics, date_range, filters, include: { compare } = {} }: CombinedQuery,
  stops: Stops | undefined,
): Promise<Result<SiteDays, Refusal>> {
  const isAll = date_range === 'all';
  const sent: SentQuery = {
    ...{ site_id: site.id, metrics: metrics.slice(0, 1), date_range },
    ...(filters && { filters }),
    ...(compare && !isAll && { include: { compare } }),
  };
  const parsed = parseQuery(sent, site, { now: now() });
  if (!parsed.ok) return parsed;
  const { period, comparedWith: compared } = parsed.value;
  if (!isAll) return ok({ site, period, compared });
  const ever = await breakdowns.answer(site, sent, stops);
  if (!ever.ok) return ever;
  const [startsAt, endsAt] = ever.value.query.date_range.map((at) => Date.parse(at));
  return ok({ site, compared, period: { ...period, startsAt, endsAt } as typeof period });
}

/** `time` with the unit that suits the longest period. */
function withUnit(dimension: string, days: readonly SiteDays[]): string {
  if (dimension !== 'time') return dimension;
  const longest = days
    .map(({ period }) => period)
    .reduce((one, other) => (lengthOf(one) < lengthOf(other) ? other : one));
  const unit = bucketUnitFor(longest);
  return `time:${unit === 'minute' ? 'hour' : unit}`;
}

const lengthOf = ({ startsAt, endsAt }: Period) => endsAt - startsAt;

/** The metrics to add up; of revenue per visitor, both of its parts. */
function toAdded(metrics: CombinedQuery['metrics']): readonly MetricName[] {
  const added = metrics.flatMap((metric): readonly MetricName[] =>
    metric === 'revenue_per_visitor' ? ['visitors', 'revenue'] : [metric],
  );
  return [...new Set(added)];
}

function refuseAt(path: string, message: string): Result<never, Refusal> {
  return refuse({ type: 'invalid_request', details: [{ path, message }] });
}

/** The results of all items, a few of them at once; or the first refusal, after which no other begins. */
async function inTurns<Item, Value>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result<Value, Refusal>>,
): Promise<Result<Value[], Refusal>> {
  const values: Value[] = [];
  let refused: Result<never, Refusal> | undefined;
  const waiting = items.entries();
  const turn = async () => {
    for (const [at, item] of waiting) {
      const done = await work(item);
      if (!done.ok) refused = done;
      else values[at] = done.value;
      if (refused !== undefined) return;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, turn));
  return refused ?? ok(values);
}
