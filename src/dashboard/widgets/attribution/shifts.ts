import type { QueryAnswer } from '#contract/query.ts';
import type { Money } from '#contract/query-fields.ts';
import type { AttributionModel } from '#domain/attribution/models.ts';
import { signOf, subtract } from '../../format/amounts.ts';
import { MODELS } from '../../format/models.ts';
import { toNumber } from '../../format/numbers.ts';

/** What a channel gets by two models. */
export type ShiftRow = {
  readonly name: string;
  readonly left: Money;
  readonly right: Money;
  /** What the right model gives it more than the left one. */
  readonly shift: Money;
  /** The shift as a share of the left amount, in percent; null where there is none to compare with. */
  readonly percent: number | null;
  /** The shift as a share of the largest one, -1 to 1. */
  readonly length: number;
};

/** What rows are sorted by. */
export const SHIFT_ORDERS = ['left', 'right', 'shift'] as const;
/** One of {@link SHIFT_ORDERS}. */
export type ShiftOrder = (typeof SHIFT_ORDERS)[number];

/** The row for what no visit is credited with. */
export const UNATTRIBUTED = 'Unattributed';

/** Rows of an answer by two models, the largest first; what is unattributed stays at the end. */
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

/** The model to compare with: one that there is, and never the same twice. */
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

/** Shifts are sorted by how much they move, either way. */
function sizeOf(row: ShiftRow, order: ShiftOrder): number {
  return order === 'shift' ? Math.abs(row.length) : toNumber(row[order]);
}

function isMoney(value: number | Money | null | undefined): value is Money {
  return typeof value === 'object' && value !== null;
}
