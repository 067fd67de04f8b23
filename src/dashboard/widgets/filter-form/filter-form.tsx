import { type CSSProperties, type FormEvent, useEffect, useRef, useState } from 'react';
import type { View } from '../../address/address.ts';
import { useAnswer } from '../../api/query.ts';
import {
  DIMENSION_GROUPS,
  FILTER_OPERATORS,
  type FilterOperator,
  nameDimension,
  OPERATOR_WORDS,
  PROPERTY,
  PROPERTY_NAMES,
  phraseFilter,
  type ViewFilter,
} from '../../format/dimensions.ts';
import { hasNames } from '../../format/values.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/form.tsx';
import { Stack } from '../../ui/layout.tsx';
import { toTypedFilter } from './typed-filter.ts';
import { useSuggestions, ValueList } from './value-list.tsx';

/** Stays in view where the window is too low for the form; covers the padding around it. */
const FOOT: CSSProperties = {
  ...{ position: 'sticky', bottom: 0, display: 'grid', margin: '-12px -16px -16px' },
  ...{ padding: '12px 16px 16px', background: 'var(--card)' },
};

type FilterFormProps = {
  /** The view that suggestions are limited to. */
  readonly view: View;
  readonly filter: ViewFilter;
  readonly onChoose: (filter: ViewFilter) => void;
};

/** A filter's dimension, operator and values; values are suggested or can be typed. */
export function FilterForm({ view, filter, onChoose }: FilterFormProps) {
  const properties = useProperties(view, filter);
  const [kind, setKind] = useState(filter.dimension);
  const [property, setProperty] = useState('');
  const [operator, setOperator] = useState<FilterOperator>(filter.operator);
  const [values, setValues] = useState<readonly string[]>(filter.values);
  const [typed, setTyped] = useState('');
  const dimension = kind === PROPERTY ? `${PROPERTY}${property.trim()}` : kind;
  const text = typed.trim();
  const suggestions = useSuggestions(view, dimension, text);
  const isKnown = text === '' || suggestions.found !== undefined;
  const whole = toTypedFilter({ operator, dimension, values }, text, suggestions.found ?? []);
  const isWhole = dimension !== PROPERTY && (whole !== undefined || !isKnown);

  const form = useRef<HTMLFormElement>(null);
  const isEdited = filter.values.length > 0;
  const first = isEdited ? 'input' : 'select';
  useEffect(() => form.current?.querySelector<HTMLElement>(first)?.focus(), [first]);

  // What is typed last and sent at once is looked up first.
  const [isSent, setSent] = useState(false);
  useEffect(() => {
    if (!isSent || !isKnown) return;
    setSent(false);
    if (whole !== undefined) onChoose(whole);
  });
  const submit = (sent: FormEvent) => {
    sent.preventDefault();
    sent.stopPropagation(); // React's events reach the form that this one's window belongs to.
    setSent(isWhole);
  };
  const chooseKind = (chosen: string) => {
    setKind(chosen);
    setValues([]);
    if (!operatorsOf(chosen).includes(operator)) setOperator('is');
  };

  return (
    <form ref={form} onSubmit={submit}>
      <Stack gap={12} style={{ width: 'min(288px, calc(100vw - 56px))' }}>
        <Field label="Filter by" value={kind} onChange={(event) => chooseKind(event.target.value)}>
          {DIMENSION_GROUPS.map(({ name, dimensions }) => (
            <optgroup key={name} label={name}>
              {dimensions.map((value) => (
                <option key={value} value={value}>
                  {nameDimension(value)}
                </option>
              ))}
            </optgroup>
          ))}
          <optgroup label="Properties of goals">
            {properties.map((name) => (
              <option key={name} value={`${PROPERTY}${name}`}>
                {name}
              </option>
            ))}
            <option value={PROPERTY}>Another property…</option>
          </optgroup>
        </Field>
        {kind === PROPERTY && (
          <Field
            label="Name of the property"
            placeholder="plan"
            value={property}
            onChange={(event) => setProperty(event.target.value)}
          />
        )}
        <Field
          label="Condition"
          value={operator}
          onChange={(event) => setOperator(event.target.value as FilterOperator)}
          options={FILTER_OPERATORS.filter(
            (each) => each === operator || operatorsOf(kind).includes(each),
          ).map((value) => ({ value, label: OPERATOR_WORDS[value] }))}
        />
        <ValueList
          suggestions={suggestions}
          dimension={dimension}
          operator={operator}
          typed={typed}
          meaning={text !== '' && isKnown && whole ? phraseFilter(whole) : ''}
          values={values}
          onType={(changed) => {
            setTyped(changed);
            setSent(false);
          }}
          onChange={(changed) => {
            setValues(changed);
            setTyped('');
          }}
        />
        <div style={FOOT}>
          <Button type="submit" look="primary" disabled={!isWhole}>
            Apply
          </Button>
        </div>
      </Stack>
    </form>
  );
}

/** Only event dimensions can ask what visitors did during the period; names have no patterns. */
function operatorsOf(dimension: string): readonly FilterOperator[] {
  if (dimension.startsWith('event:')) return FILTER_OPERATORS;
  if (hasNames(dimension)) return ['is', 'is_not'];
  return FILTER_OPERATORS.filter((each) => !each.startsWith('has_'));
}

/** As many as a readable list can hold. */
const NAMES_MAX = 50;

/** The property names found on the period's events, plus the filter's own. */
function useProperties(view: View, { dimension }: ViewFilter): readonly string[] {
  const { data } = useAnswer(view, {
    ...{ metrics: ['events'], dimensions: [PROPERTY_NAMES] },
    pagination: { limit: NAMES_MAX },
  });
  const names = (data?.results ?? []).map(({ dimensions }) => dimensions[0] ?? '');
  const own = dimension.startsWith(PROPERTY) ? [dimension.slice(PROPERTY.length)] : [];
  return [...new Set([...names, ...own])].toSorted();
}
