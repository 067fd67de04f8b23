import { useMemo } from 'react';
import type { QueryAnswer } from '#contract/query.ts';
import type { Money } from '#contract/query-fields.ts';
import type { AttributionModel } from '#domain/attribution/models.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { parseView, useParams, type View, writeView } from '../../address/address.ts';
import { withTexts } from '../../address/params.ts';
import { MODELS, modelOf } from '../../format/models.ts';
import { signOf, subtract, toNumber } from '../../format/numbers.ts';

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
const SHIFT_ORDERS = ['left', 'right', 'shift'] as const;
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

/** Dimensions to compare by. */
export const COMPARED = [
  { panel: 'channels', label: 'Channels', dimension: 'visit:channel' },
  { panel: 'sources', label: 'Sources', dimension: 'visit:source' },
  { panel: 'campaigns', label: 'Campaigns', dimension: 'visit:campaign' },
] as const;

/** The two models compared, the dimension, and the sort order; all of it is in the URL. */
export function useComparison() {
  const [params, setParams] = useParams();
  const view = useMemo(() => parseView(params), [params]);
  const model = modelOf(view.model).value;
  const versus = toVersus(model, params.get('versus'));
  const compared = COMPARED.find(({ panel }) => panel === view.panel) ?? COMPARED[0];
  const order = SHIFT_ORDERS.find((each) => each === params.get('order')) ?? SHIFT_ORDERS[0];
  /** Sets both kinds of parameters at once, so that Back undoes a choice. */
  const change = (changed: Partial<View>, own: Readonly<Record<string, string>> = {}) =>
    setParams((now) => withTexts(writeView({ ...parseView(now), ...changed }, now), own));
  return {
    ...{ view, model, versus, compared, order },
    /** Choosing the other side's model swaps the two. */
    chooseModel: (chosen: string) =>
      change({ model: chosen }, { versus: writeVersus(chosen === versus ? model : versus) }),
    chooseVersus: (chosen: string) =>
      change(chosen === model ? { model: versus } : {}, { versus: writeVersus(chosen) }),
    choosePanel: (panel: string) => change({ panel: panel === COMPARED[0].panel ? '' : panel }),
    chooseOrder: (chosen: ShiftOrder) =>
      change({}, { order: chosen === SHIFT_ORDERS[0] ? '' : chosen }),
    /** Filters by a row's value. */
    filterBy: (value: string) =>
      change({
        filters: [
          ...view.filters,
          { operator: 'is', dimension: compared.dimension, values: [value] },
        ],
      }),
  };
}

const writeVersus = (model: string) => (model === 'last_touch' ? '' : model);
