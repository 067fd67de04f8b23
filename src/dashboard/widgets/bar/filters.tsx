import { type ComponentProps, useState } from 'react';
import type { View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { nameFilter, negate, phraseFilter, type ViewFilter } from '../../format/dimensions.ts';
import { Words } from '../../ui/layout.tsx';
import { Bones, lazyPart } from '../../ui/loaded.tsx';
import { Popover } from '../../ui/menu/menu.tsx';
import { useOpening } from '../keys/key-table.ts';
import styles from './bar.module.css';

const FilterForm = lazyPart(
  () => import('../filter-form/filter-form.tsx'),
  'FilterForm',
  <Bones width={288} height={360} />,
);

type FiltersProps = {
  /** Its filters are shown, and it limits the values that are suggested. */
  readonly view: View;
  readonly onChange: (filters: readonly ViewFilter[]) => void;
};

/** A view's filters, each of which can be negated, changed or removed; and a button to add one. */
export function Filters({ view, onChange }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const [dimension, setDimension] = useState('');
  const { shared } = useSite();
  useOpening('filter', (asked) => {
    setDimension(asked);
    setOpen(true);
  });
  useOpening('last-filter', () => onChange(view.filters.slice(0, -1)));
  const replace = (at: number, ...by: ViewFilter[]) =>
    onChange(view.filters.toSpliced(at, 1, ...by));
  return (
    <>
      {view.filters.map((filter, at) => (
        <Chip
          key={JSON.stringify(filter)}
          filter={filter}
          view={{ ...view, filters: view.filters.toSpliced(at, 1) }}
          onReplace={(by) => replace(at, by)}
          onRemove={() => replace(at)}
        />
      ))}
      {shared === undefined && (
        <FilterWindow
          {...{ label: '+ Filter', view, isOpen }}
          filter={{ operator: 'is', dimension: dimension || 'visit:source', values: [] }}
          onOpenChange={(open) => {
            setOpen(open);
            if (open) setDimension('');
          }}
          onChoose={(filter) => onChange([...view.filters, filter])}
        />
      )}
    </>
  );
}

type ChipProps = {
  readonly filter: ViewFilter;
  /** The view without it. */
  readonly view: View;
  readonly onReplace: (filter: ViewFilter) => void;
  readonly onRemove: () => void;
};

function Chip({ filter, view, onReplace, onRemove }: ChipProps) {
  const [isOpen, setOpen] = useState(false);
  const { dimension, operator, values } = nameFilter(filter);
  const phrase = phraseFilter(filter);
  const { shared } = useSite();
  const opposite = { ...filter, operator: negate(filter.operator) };
  return (
    <span className={styles.chip}>
      <span>{dimension}</span>
      <button
        type="button"
        aria-label={`Change ${operator}: ${phrase}`}
        title={`Change to “${nameFilter(opposite).operator}”`}
        onClick={() => onReplace(opposite)}
      >
        {operator}
      </button>
      {shared === undefined ? (
        <FilterWindow
          {...{ name: `Change ${phrase}`, className: styles.value ?? '', view, filter, isOpen }}
          label={<Values>{values}</Values>}
          onOpenChange={setOpen}
          onChoose={onReplace}
        />
      ) : (
        <Values>{values}</Values>
      )}
      <button
        type="button"
        className={styles.remove}
        aria-label={`Remove filter: ${phrase}`}
        onClick={onRemove}
      >
        ✕
      </button>
    </span>
  );
}

type FilterWindowProps = Omit<ComponentProps<typeof Popover>, 'children'> &
  ComponentProps<typeof FilterForm>;

function FilterWindow({ view, filter, onChoose, ...popover }: FilterWindowProps) {
  const choose = (chosen: ViewFilter) => {
    popover.onOpenChange?.(false);
    onChoose(chosen);
  };
  return (
    <Popover {...popover}>
      <FilterForm {...{ view, filter }} onChoose={choose} />
    </Popover>
  );
}

function Values({ children }: { readonly children: string }) {
  return (
    <Words look="cut" style={{ maxWidth: 240 }}>
      {children}
    </Words>
  );
}
