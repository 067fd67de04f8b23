import type { QueryAnswer } from '#contract/query.ts';
import type { Money } from '#contract/query-fields.ts';
import type { AttributionModel } from '#domain/attribution/models.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { signOf, subtract } from '../../format/amounts.ts';
import { MODELS } from '../../format/models.ts';
import { toNumber } from '../../format/numbers.ts';

/** A channel's revenue by two models. */
export type ShiftRow = {
  readonly name: string;
  readonly left: Money;
  readonly right: Money;
  /** How much more the right model gives it than the left. */
  readonly shift: Money;
  /** The shift as a percentage of the left amount; null when that is zero. */
  readonly percent: number | null;
  /** The shift relative to the largest one, -1 to 1. */
  readonly length: number;
};

/** The sort orders of rows. */
export const SHIFT_ORDERS = ['left', 'right', 'shift'] as const;
/** One of {@link SHIFT_ORDERS}. */
export type ShiftOrder = (typeof SHIFT_ORDERS)[number];

/** The rows of a two-model answer, the largest first; the unattributed row stays last. */
export function toShiftRows(
  results: QueryAnswer['results'],
  order: ShiftOrder = 'left',
): readonly ShiftRow[] {
  const rows = results.flatMap(({ dimensions: [name = ''], metrics: [left, right] }) =>
    isMoney(left) && isMoney(right) ? [toRow(name, left, right)] : [],
  );
  const largest = Math.max(...rows.map(({ shift }) => Math.abs(toNumber(shift))), 0);
  return rows
    .map((row) => ({ ...row, length: largest === 0 ? 0 : toNumber(row.shift) / largest }))
    .toSorted(
      (one, two) =>
        Number(one.name === UNATTRIBUTED) - Number(two.name === UNATTRIBUTED) ||
        sizeOf(two, order) - sizeOf(one, order),
    );
}

/** The model to compare with: always a valid one, and never the same. */
export function toVersus(model: AttributionModel, versus: string | null): AttributionModel {
  const wanted = MODELS.find(({ value }) => value === versus)?.value ?? 'last_touch';
  if (wanted !== model) return wanted;
  return model === 'last_touch' ? 'first_touch' : 'last_touch';
}

function toRow(name: string, left: Money, right: Money): Omit<ShiftRow, 'length'> {
  const shift = subtract(right, left);
  const percent = signOf(left) === 0 ? null : (toNumber(shift) / Math.abs(toNumber(left))) * 100;
  return { name, left, right, shift, percent };
}

/** Shifts are sorted by size, in either direction. */
function sizeOf(row: ShiftRow, order: ShiftOrder): number {
  return order === 'shift' ? Math.abs(row.length) : toNumber(row[order]);
}

function isMoney(value: number | Money | null | undefined): value is Money {
  return typeof value === 'object' && value !== null;
}
