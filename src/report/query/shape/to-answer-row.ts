import type { MetricValue } from '#contract/query.ts';
import type { AskedFields } from '#contract/query-fields.ts';
import type { Unit } from '#contract/reports/catalog.ts';
import { assert } from '#domain/assert.ts';
import { findCurrency } from '#domain/money/currencies.ts';
import { formatAmount } from '#domain/money/format-amount.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import type { Period } from '#domain/time/period.ts';
import type { Plan } from '../plan/plan.ts';

/** A row from the warehouse: `d0, …` for dimensions and `t0, …` for metrics. */
export type WarehouseRow = Readonly<Record<string, string | number | null | undefined>>;

/** A row of an answer, its values in the order of the query's dimensions and metrics. */
export type AnswerRow = { readonly dimensions: string[]; readonly metrics: MetricValue[] };

/** Formats a row: time as labels, counts as numbers, money as decimal strings. The row for the whole has no dimensions. */
export function toAnswerRow(row: WarehouseRow, plan: Plan): AnswerRow {
  const dimensions = row.is_total === 1 ? [] : plan.dimensions;
  return {
    dimensions: dimensions.map((dimension, index) => {
      const value = row[`d${index}`];
      if (dimension.of !== 'time') return String(value);
      return toBucketLabel(Number(value), dimension.unit, plan.period.timeZone);
    }),
    metrics: plan.metrics.map(({ unit }, index) =>
      toMetricValue(row[`t${index}`] ?? null, unit, plan),
    ),
  };
}

function toMetricValue(text: string | number | null, unit: Unit, { site }: Plan): MetricValue {
  if (text === null) return null;
  return unit === 'money' ? toMoney(BigInt(text), site.currency) : Number(text);
}

/** Formats minor units. Throws for a currency code that no payment can have. */
export function toMoney(amountMinor: bigint, code: string): { value: string; currency: string } {
  const currency = findCurrency(code);
  assert(currency !== undefined, `${code} is a currency`);
  return { value: formatAmount(amountMinor, currency), currency: code };
}

/** The minor units of {@link toMoney}: its text has all digits of its currency. */
export function fromMoney({ value }: { readonly value: string }): bigint {
  return BigInt(value.replace('.', ''));
}

/** Formats an instant, from milliseconds as a number or string. */
export function toIso(at: unknown): string {
  return new Date(Number(at)).toISOString();
}

/** The values that are not empty. */
export function filledTexts<Name extends string>(
  texts: Readonly<Record<Name, string>>,
): { [Each in Name]?: string } {
  const filled = Object.entries(texts).filter(([, text]) => text !== '');
  return Object.fromEntries(filled) as { [Each in Name]?: string };
}

/** A part as a percentage of a whole, to two decimals, halves away from zero; null if the whole is not above 0. */
export function percentOf(part: bigint, whole: bigint): number | null {
  return whole <= 0n ? null : Number(perHeadOf(10_000n * part, whole)) / 100;
}

/** An amount per head, to the minor unit, halves away from zero. Heads are above 0. */
export function perHeadOf(amountMinor: bigint, heads: bigint): bigint {
  const sign = amountMinor < 0n ? -1n : 1n;
  return (sign * (2n * amountMinor * sign + heads)) / (2n * heads);
}

/** A period as answers show it: two instants in its zone, the end exclusive. */
export function toAnsweredRange({ startsAt, endsAt, timeZone }: Period): [string, string] {
  const text = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at)
      .toZonedDateTimeISO(timeZone)
      .toString({ timeZoneName: 'never', smallestUnit: 'second' });
  return [text(startsAt), text(endsAt)];
}

/** The part of a query that every answer echoes. */
export function echoOf(sent: AskedFields, period: Period) {
  return {
    site_id: sent.site_id,
    date_range: toAnsweredRange(period),
    filters: sent.filters ?? [],
    timezone: period.timeZone,
  };
}
