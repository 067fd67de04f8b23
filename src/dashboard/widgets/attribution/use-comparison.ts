import { useMemo } from 'react';
import { parseView, useParams, type View, writeView } from '../../address/address.ts';
import { withTexts } from '../../address/with-texts.ts';
import { modelOf } from '../../format/models.ts';
import { SHIFT_ORDERS, type ShiftOrder, toVersus } from './shifts.ts';

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
