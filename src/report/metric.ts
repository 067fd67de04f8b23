import type { AttributionModel } from '#domain/attribution/models.ts';

/** What a fact counts for in `credit`, shared out or not: fine enough for four decimals. */
export const WHOLE_CREDIT = 10_000;

/** What a metric is counted from: {@link ofVisits} and the others say what each has. */
export type Fact = 'visits' | 'events' | 'attention' | 'conversions' | 'payments';

/**
 * What costs a join or a look-up to know of a fact's rows.
 *
 * - `first_visit`: `is_first_visit`. `customer`: `customer`. `first_payment`: `is_first_payment`.
 *   `path`: `path_visits` and `path_ms`. `person`: `person_id`.
 */
export type Need = 'first_visit' | 'customer' | 'first_payment' | 'path' | 'person';

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
  /**
   * What a share is a share of: counted as if the query named no event dimension (`events`), or was
   * broken down by nothing (`rows`).
   */
  readonly ignores?: 'events' | 'rows';
};

/**
 * What a metric's number is, and so how it is reckoned and written in an answer: a count; a count of which
 * models may give visits parts, to four decimals; an average or a percentage, which may be null; whole
 * seconds; or minor units of the site's currency.
 */
export type Unit = 'count' | 'credit' | 'average' | 'percent' | 'seconds' | 'money';

/** A metric of a query. Each stands in a file of its own in metrics/. */
export type Metric = {
  readonly name: string;
  readonly unit: Unit;
  /** What is counted, and, of a ratio, what that is divided by. */
  readonly parts: readonly Part[];
};

/** A metric: what `counted` comes to, divided by what `per` comes to where there is one. */
export function defineMetric(name: string, unit: Unit, counted: Part, per?: Part): Metric {
  return { name, unit, parts: per === undefined ? [counted] : [counted, per] };
}

/**
 * A part counted from visits that began in the period. Columns: `visitor` (64 bits of its id), `pageviews`,
 * `goals`, `duration_ms`, `engagement_ms`, `is_first_visit` (the visitor's first ever). Of people, as are all
 * parts but those of payments.
 */
export const ofVisits = partsOf('visits');

/**
 * A part counted from what visitors did in the period: pageviews, goals, outbound clicks and downloads.
 * Columns: `visitor`, `type`, `is_first_visit` (whether the event's visit is).
 */
export const ofEvents = partsOf('events');

/**
 * A part counted from the tracker's reports of visible time and scrolling in the period. Columns: `visit_id`,
 * `path`, `engagement_ms`, `scroll_depth`.
 */
export const ofAttention = partsOf('attention');

/**
 * A part counted from goals reached in the period, a row for each visit that is credited with a part.
 * Columns: `visitor`, `credit` (the part, of {@link WHOLE_CREDIT}).
 */
export const ofConversions = partsOf('conversions');

/**
 * A part counted from payments and refunds made in the period, a row for each visit that is credited with
 * a part. Columns: `credit` (the part, of {@link WHOLE_CREDIT}; amounts are parts too), `kind` (`payment`
 * or `refund`), `amount_minor` (in the site's currency; 0 for money without a rate, which `is_converted`
 * says), `raw_minor` (as it was paid), `renewal`, `customer` (who paid), `is_first_payment` (the customer's
 * first ever above 0), `path_visits` and `path_ms` (the way to it).
 */
export const ofPayments = partsOf('payments');

function partsOf(of: Fact) {
  return (sql: Part['sql'], more?: Omit<Part, 'of' | 'sql'>): Part => ({ of, sql, ...more });
}

/** How many different visitors there are, by events where the query is about those. */
export const VISITORS = ofVisits((distinct) => distinct('visitor'), {
  byEvent: ofEvents((distinct) => distinct('visitor')),
});

/** How many visits there are. */
export const VISITS = ofVisits('count()');

/** First payments above 0 of whose payers a touch is known. */
export const WAYS = ofPayments('sumIf(credit, is_first_payment AND path_visits > 0)', {
  needs: ['first_payment', 'path'],
});

/** Money in less money back. */
export const REVENUE = ofPayments("sum(if(kind = 'refund', -amount_minor, amount_minor))");

/**
 * SQL of a metric, from SQL of its parts. Where there is nothing to divide by, a ratio is null.
 *
 * - Units: averages and percentages to two decimals, seconds whole, halves up as everywhere (the engine's
 *   own `round` takes them to even); money to the minor unit, halves away from zero: no float loses cents.
 */
export function metricSql(unit: Unit, counted: string, per?: string): string {
  if (per === undefined) return unit === 'credit' ? `(${counted} / ${WHOLE_CREDIT})` : counted;
  return `if(${per} = 0, NULL, ${ratioSql(unit, counted, per)})`;
}

function ratioSql(unit: Unit, counted: string, per: string): string {
  if (unit === 'money') {
    return `sign(${counted}) * intDiv(2 * abs(${counted}) + ${per}, 2 * ${per})`;
  }
  if (unit === 'seconds') return `floor(${counted} / ${per} / 1000 + 0.5)`;
  return `floor(${unit === 'percent' ? 10_000 : 100} * ${counted} / ${per} + 0.5) / 100`;
}

/**
 * The metrics of a query that asks for several models: each that is credited once for each model, as
 * `revenue:linear`, in the order of the models; the others as they are.
 */
export function byModels(
  metrics: readonly Metric[],
  models: readonly AttributionModel[] | undefined,
): readonly Metric[] {
  if (models === undefined) return metrics;
  return metrics.flatMap((metric) =>
    isCredited(metric) ? models.map((model) => byModel(metric, model)) : [metric],
  );
}

/** Whether a metric is counted from what visits get the credit for. */
export function isCredited({ parts }: Metric): boolean {
  return parts.some(isOfCredit);
}

function byModel({ name, unit, parts }: Metric, model: AttributionModel): Metric {
  const ofModel = parts.map((part) => (isOfCredit(part) ? { ...part, model } : part));
  return { name: `${name}:${model}`, unit, parts: ofModel };
}

function isOfCredit({ of }: Part): boolean {
  return of === 'payments' || of === 'conversions';
}
