import type { Unit } from '#contract/reports/catalog.ts';
import type { AttributionModel } from '#domain/attribution/models.ts';

/** The full credit of one fact. Precise enough for four decimals when credit is split. */
export const WHOLE_CREDIT = 10_000;

/** The facts that metrics are computed from. {@link ofVisits} and the others list their columns. */
export type Fact = 'visits' | 'events' | 'attention' | 'conversions' | 'payments' | 'costs';

/**
 * Columns of a fact that require a join or a lookup.
 *
 * - `first_visit`: `is_first_visit`. `customer`: `customer`. `first_payment`: `is_first_payment`.
 *   `trial`: `is_trial`. `path`: `path_visits` and `path_ms`. `person`: `person_id`.
 */
export type Need = 'first_visit' | 'customer' | 'first_payment' | 'trial' | 'path' | 'person';

/** SQL for the number of distinct values in rows that match a condition: exact or estimated. */
export type Distinct = (value: string, condition?: string) => string;

/** One aggregate of a metric: a whole number. */
export type Part = {
  readonly of: Fact;
  /** A function if distinct visitors are counted. */
  readonly sql: string | ((distinct: Distinct) => string);
  /** The columns of `sql` that are looked up on demand. */
  readonly needs?: readonly Need[];
  /** The replacement in queries with an event dimension or filter. */
  readonly byEvent?: Part;
  /** The attribution model. Default: the query's. */
  readonly model?: AttributionModel;
  /**
   * The base of a share: computed as if the query had no event dimensions and filters (`events`), or no
   * breakdown (`rows`).
   */
  readonly ignores?: 'events' | 'rows';
};

/**
 * A metric: the count, or the numerator and denominator of a ratio. The ratio is null if its third part, what is missing
 * from the others, is not 0.
 */
export type Metric = {
  readonly name: string;
  readonly unit: Unit;
  readonly parts: readonly Part[];
};

/**
 * An aggregate over visits that began in the period. Columns: `visitor` (a 64-bit hash of its id), `pageviews`,
 * `goals`, `duration_ms`, `engagement_ms`, `is_first_visit` (the visitor's first ever). Excludes bots, like all
 * aggregates except those over payments.
 */
export const ofVisits = partsOf('visits');

/**
 * An aggregate over events in the period: pageviews, goals, outbound clicks and downloads.
 * Columns: `visitor`, `type`, `is_first_visit` (whether the event's visit is).
 */
export const ofEvents = partsOf('events');

/**
 * An aggregate over the tracker's reports of visible time and scrolling in the period. Columns: `visit_id`,
 * `path`, `engagement_ms`, `scroll_depth`.
 */
export const ofAttention = partsOf('attention');

/**
 * An aggregate over goals reached in the period, with one row per credited visit.
 * Columns: `visitor`, `credit` (the part, of {@link WHOLE_CREDIT}).
 */
export const ofConversions = partsOf('conversions');

/**
 * An aggregate over payments and refunds made in the period, with one row per credited visit. Columns: `credit` (the
 * visit's share of {@link WHOLE_CREDIT}; amounts are shares too), `kind` (`payment` or `refund`), those of money (see
 * converted.ts), `renewal`, `is_dispute` (a refund that a dispute took back), `customer` (the payer), `is_first_payment`
 * (the customer's first ever above 0), `is_trial` (the first ever of 0 of its subscription), `path_visits` and `path_ms`
 * (number of visits, and time, up to the payment).
 */
export const ofPayments = partsOf('payments');

/** An aggregate over the costs of days in the period. Columns: those of money (see converted.ts). */
const ofCosts = partsOf('costs');

function partsOf(of: Fact) {
  return (sql: Part['sql'], more?: Omit<Part, 'of' | 'sql'>): Part => ({ of, sql, ...more });
}

/** Distinct visitors, counted from events in queries about events. `shown_visitor`: see group-sql.ts. */
export const VISITORS = ofVisits((distinct) => distinct('shown_visitor'), {
  byEvent: ofEvents((distinct) => distinct('shown_visitor')),
});

/** Number of visits. */
export const VISITS = ofVisits('count()');

/** First payments above 0 whose payers have a known touch. */
export const WAYS = ofPayments('sumIf(credit, is_first_payment AND path_visits > 0)', {
  needs: ['first_payment', 'path'],
});

/** Payments less refunds. */
export const REVENUE = ofPayments("sum(if(kind = 'refund', -shown_minor, shown_minor))");

/** What was spent. */
export const COST = ofCosts('sum(shown_minor)');

/** Costs that no sum includes. */
export const MISSING_COSTS = ofCosts('countIf(is_converted = 0 AND raw_minor > 0)');

/** Customers, as `customers` counts them. */
export const CUSTOMERS = ofPayments("uniqExactIf(customer, kind = 'payment' AND raw_minor > 0)", {
  needs: ['customer'],
});

/**
 * SQL for a metric, from SQL for its parts. A ratio is null if its denominator is 0.
 *
 * - Units: averages and percentages have two decimals and seconds are whole, with halves rounded up (the engine's
 *   `round` rounds to even). Money is rounded to the minor unit, and a ratio of money to two decimals, halves away from
 *   zero, without floats.
 */
export function metricSql(unit: Unit, counted: string, per?: string, missing?: string): string {
  if (per === undefined) return unit === 'credit' ? `(${counted} / ${WHOLE_CREDIT})` : counted;
  const lacks = missing === undefined ? '' : ` OR ${missing} != 0`;
  return `if(${per} = 0${lacks}, NULL, ${ratioSql(unit, counted, per)})`;
}

function ratioSql(unit: Unit, counted: string, per: string): string {
  if (unit === 'money') {
    return `sign(${counted}) * intDiv(2 * abs(${counted}) + ${per}, 2 * ${per})`;
  }
  if (unit === 'ratio') {
    return `sign(${counted}) * intDiv(200 * abs(${counted}) + ${per}, 2 * ${per}) / 100`;
  }
  if (unit === 'seconds') return `floor(${counted} / ${per} / 1000 + 0.5)`;
  return `floor(${unit === 'percent' ? 10_000 : 100} * ${counted} / ${per} + 0.5) / 100`;
}

/**
 * The metrics of a query with several models. A credited metric occurs once per model, as `revenue:linear`, in the
 * order of the models. Others are unchanged.
 */
export function byModels(
  metrics: readonly Metric[],
  models: readonly AttributionModel[] | undefined,
): readonly Metric[] {
  if (models === undefined) return metrics;
  return metrics.flatMap((metric) =>
    needsAttribution(metric) ? models.map((model) => byModel(metric, model)) : [metric],
  );
}

/** Whether a metric depends on attribution. */
export function needsAttribution({ parts }: Metric): boolean {
  return parts.some(isOfCredit);
}

function byModel({ name, unit, parts }: Metric, model: AttributionModel): Metric {
  const ofModel = parts.map((part) => (isOfCredit(part) ? { ...part, model } : part));
  return { name: `${name}:${model}`, unit, parts: ofModel };
}

function isOfCredit({ of }: Part): boolean {
  return of === 'payments' || of === 'conversions';
}
