import type { AttributionModel } from '#domain/attribution/models.ts';
import { WHOLE_CREDIT } from './attribution/whole-credit.ts';

/**
 * What a metric is counted from.
 *
 * - `visits`: visits that began in the period. Columns: `visitor` (64 bits of its id), `pageviews`, `goals`,
 *   `duration_ms`, `engagement_ms`, `is_first_visit` (the visitor's first ever).
 * - `events`: what visitors did in the period: pageviews, goals, outbound clicks and downloads.
 *   Columns: `visitor`, `type`, `is_first_visit` (whether the event's visit is).
 * - `attention`: the tracker's reports of visible time and scrolling in the period. Columns: `visit_id`,
 *   `path`, `engagement_ms`, `scroll_depth`.
 * - `conversions`: goals reached in the period, a row for each visit that is credited with a part.
 *   Columns: `visitor`, `credit` (the part, of {@link WHOLE_CREDIT}).
 * - `payments`: payments and refunds made in the period, a row for each visit that is credited with a
 *   part. Columns: `credit` (the part, of {@link WHOLE_CREDIT}; amounts are parts too), `kind`
 *   (`payment` or `refund`), `amount_minor` (in the site's currency; 0 for money without a rate, which
 *   `is_converted` says), `raw_minor` (as it was paid), `renewal`, `customer` (who paid),
 *   `is_first_payment` (the customer's first ever above 0), `path_visits` and `path_ms` (the way to it).
 *
 * People only: bots are left out of all but payments.
 */
export type Fact = 'visits' | 'events' | 'attention' | 'conversions' | 'payments';

/**
 * What costs a join or a look-up to know of a fact's rows.
 *
 * - `first_visit`: `is_first_visit`. `customer`: `customer`. `first_payment`: `is_first_payment`.
 *   `path`: `path_visits` and `path_ms`.
 */
export type Need = 'first_visit' | 'customer' | 'first_payment' | 'path';

/** SQL of how many different values there are, of the rows for which a condition holds: exact, or an estimate. */
export type Distinct = (value: string, condition?: string) => string;

/** One aggregate that a metric is made of: a whole number. */
export type Part = {
  readonly of: Fact;
  /** A function where different visitors are counted. */
  readonly sql: string | ((distinct: Distinct) => string);
  /** The columns of `sql` that are looked up only where a metric needs them. */
  readonly needs?: readonly Need[];
  /** What is counted instead in a query that breaks down or filters by an event's dimension. */
  readonly byEvent?: Part;
  /** The attribution model; left out, the query's. */
  readonly model?: AttributionModel;
  /** Counted as if the query named no event dimension: what a share is a share of. */
  readonly ignoresEvents?: true;
};

/**
 * What a metric's number is, and so how it is written in an answer: a count; a count of which models may
 * give visits parts, to four decimals; an average or a percentage, which may be null; whole seconds; or
 * minor units of the site's currency.
 */
export type Unit = 'count' | 'credit' | 'average' | 'percent' | 'seconds' | 'money';

/** A metric of a query. Each stands in a file of its own in metrics/. */
export type Metric = {
  readonly name: string;
  readonly unit: Unit;
  readonly parts: Readonly<Record<string, Part>>;
  /** SQL of the metric, from SQL of its parts. */
  readonly toSql: (parts: Readonly<Record<string, string>>) => string;
};

/** A metric. Its parts are known by name to `toSql`. */
export function defineMetric<Name extends string>(metric: {
  readonly name: string;
  readonly unit: Unit;
  readonly parts: Readonly<Record<Name, Part>>;
  readonly toSql: (parts: Readonly<Record<Name, string>>) => string;
}): Metric {
  return metric;
}

/** A metric that is one part: what it counts, or the sum of the credit for it. */
export function defineCount({
  name,
  unit,
  ...part
}: Part & { readonly name: string; readonly unit: 'count' | 'credit' | 'money' }): Metric {
  return defineMetric({
    name,
    unit,
    parts: { part },
    toSql: ({ part: counted }) => (unit === 'credit' ? `(${counted} / ${WHOLE_CREDIT})` : counted),
  });
}

/** How many different visitors there are, by events where the query is about those. */
export const VISITORS: Part = {
  of: 'visits',
  sql: (distinct) => distinct('visitor'),
  byEvent: { of: 'events', sql: (distinct) => distinct('visitor') },
};

/** How many visits there are. */
export const VISITS: Part = { of: 'visits', sql: 'count()' };

/** First payments above 0 of whose payers a touch is known. */
export const WAYS: Part = {
  of: 'payments',
  sql: 'sumIf(credit, is_first_payment AND path_visits > 0)',
  needs: ['first_payment', 'path'],
};

/** Money in less money back. */
export const REVENUE: Part = {
  of: 'payments',
  sql: "sum(if(kind = 'refund', -amount_minor, amount_minor))",
};

/**
 * SQL of a ratio of what is not negative to two decimals, halves up as everywhere (the engine's own
 * `round` takes them to even); null where there is nothing to divide by.
 */
export function ratio(numerator: string, denominator: string, factor = 1): string {
  const hundredths = `floor(${100 * factor} * ${numerator} / ${denominator} + 0.5)`;
  return `if(${denominator} = 0, NULL, ${hundredths} / 100)`;
}

/** SQL of a time on average in whole seconds, halves up; null where there is nothing to divide by. */
export function averageSeconds(totalMs: string, count: string): string {
  return `if(${count} = 0, NULL, floor(${totalMs} / ${count} / 1000 + 0.5))`;
}

/** SQL of money by the head, to the minor unit, halves away from zero: no float loses cents of it. */
export function perHead(money: string, heads: string): string {
  return `if(${heads} = 0, NULL, sign(${money}) * intDiv(2 * abs(${money}) + ${heads}, 2 * ${heads}))`;
}
