import type { AttributionModel } from '#domain/attribution/models.ts';
import type { RemovalEffects } from '#domain/attribution/removal-effects.ts';
import type { Period } from '#domain/time/period.ts';
import type { Dimension } from './dimension.ts';
import type { Filter } from './filter.ts';
import type { Metric } from './metric.ts';
import type { ReportSite } from './ports.ts';
import type { SplittingModel } from './sql/credit-weights.ts';
import type { Statement } from './sql/statement.ts';

/** A question that was understood: every name found, every default filled in. */
export type Question = {
  readonly site: ReportSite;
  readonly period: Period;
  readonly metrics: readonly Metric[];
  readonly dimensions: readonly Dimension[];
  readonly filter: Filter;
  /** Whose payments and goals alone are meant; everybody's when left out. */
  readonly person?: string;
  readonly attribution: Attribution;
  readonly order: readonly Order[];
  readonly page: Page;
  /** The period that each row is compared with. */
  readonly comparedWith: Period | undefined;
  /** Known when the site was never paid in another currency: nothing needs a rate then. */
  readonly isPaidInOneCurrency?: true;
  /** False when the site was never paid at all. */
  readonly hasPayments?: boolean;
  /** False when nobody on the site is known to be several visitors, or a payer without one. */
  readonly hasPersons?: boolean;
  /** Spans of time whose visits are read from `settled_visits`, ascending; none where none is known. */
  readonly settled?: readonly Span[];
  /** The days of the site's visits, ascending, with the run that counted their visitors ahead, as they are. */
  readonly counted?: readonly CountedDay[];
  /** First visits of payers that are kept; left out where there are none that hold. */
  readonly firstVisits?: FirstVisits | undefined;
  /** Where visitors of the open days had been before, if that is copied. */
  readonly returning?: Returning | undefined;
  /** Finds the rows of groups of counts that are known before the question's own statement is asked. */
  readonly findRows?: FindGroupRows;
};

/** Rows of a group's statement, where they are known and few. */
export type FindGroupRows = (
  toAsked: () => Statement,
  of: 'settled' | 'open',
) => readonly GroupRow[] | undefined;

/** What was counted under values of the question's dimensions, all as text: whole numbers, and instants in milliseconds. */
export type GroupRow = { readonly keys: readonly string[]; readonly amounts: readonly string[] };

/** A run of rows of `payers_first_visits`, and for whom and when it does not hold. */
export type FirstVisits = {
  readonly run: string;
  /** It has visits that began before. Milliseconds since 1970, UTC. */
  readonly endsAt: number;
  /** The first event of visits that began since; later than `endsAt` where none was before. */
  readonly openSince: number;
  /** Days whose visits are others now. */
  readonly changed: readonly Span[];
  /** The version of `payments` after which there are some that it does not know; likewise of `persons`. */
  readonly paymentsAfter?: string | undefined;
  readonly personsAfter?: string | undefined;
  /** Numbers of those who had paid when it was made and have none that is kept, if they are few. */
  readonly openPayers?: readonly string[] | undefined;
};

/** A run of rows of `returning_visitors`, what it was made of, and whom it did not look for. */
export type Returning = {
  readonly run: string;
  /** Milliseconds since 1970, UTC: of visitors since `endsAt` it has where they were since `startsAt`. */
  readonly startsAt: number;
  readonly endsAt: number;
  /** What counted these days ahead. */
  readonly countedRuns: readonly number[];
  /** Numbers of visitors who came after it was made. */
  readonly notLookedFor: readonly string[];
};

/** A day in UTC, counted from 1970. Without a `run` its visitors are not counted, or otherwise than they are now. */
export type CountedDay = { readonly day: number; readonly run: number | undefined };

/** From one instant up to another, which is left out. Milliseconds since 1970, UTC. */
export type Span = { readonly startsAt: number; readonly endsAt: number };

/** Which visits a payment or conversion is credited to. */
export type Attribution = {
  /** Of a metric that names no model of its own. */
  readonly model: AttributionModel;
  /** Several, when the question asks for each credited metric by each of them. */
  readonly models?: readonly AttributionModel[] | undefined;
  /** Models that share paths, which facts are credited by at once: the first is `model`. */
  readonly alongside?: readonly SplittingModel[] | undefined;
  /** Visits further back get no credit; null for all history. */
  readonly lookbackDays: number | null;
  /** What `data_driven` goes by, for each fact that is credited. Nothing before it is learned. */
  readonly effects?: Readonly<Record<CreditedFact, RemovalEffects>> | undefined;
};

/** The facts that visits get the credit for. */
export type CreditedFact = 'payments' | 'conversions';

/** By a metric or dimension of the question. Nulls come last either way. */
export type Order = { readonly by: Metric | Dimension; readonly direction: 'asc' | 'desc' };

/**
 * Which of the rows are answered.
 *
 * - Shape: with `after`, those behind the row that has these values in the question's order.
 */
export type Page = {
  readonly limit: number;
  readonly offset: number;
  readonly after?: readonly (string | null)[] | undefined;
};
