import type { MouseEvent } from 'react';
import { filterBy } from '../../address/filters.ts';
import { PROPERTY_NAMES } from '../../format/dimensions.ts';
import type { PanelProps } from './use-choice.ts';
import { useProperty } from './use-choice.ts';

type RowClick = {
  readonly onClick: (value: string) => (event: MouseEvent) => void;
  /** What a click does, shown on hover. */
  readonly hint: string;
};

/** Clicking a row filters by it, Alt-clicking excludes it; clicking a property's name shows its values. */
export function useRowClick(
  { view, onChange }: Pick<PanelProps, 'view' | 'onChange'>,
  dimension: string,
): RowClick {
  const [, chooseProperty] = useProperty();
  if (dimension === PROPERTY_NAMES) {
    return { onClick: (name) => () => chooseProperty(name), hint: 'Click: its values.' };
  }
  return {
    onClick: (value) => (event) =>
      onChange({
        panel: '',
        filters: filterBy(view.filters, event.altKey ? 'is_not' : 'is', dimension, value),
      }),
    hint: 'Click: only this. Alt-click: all but this.',
  };
}
