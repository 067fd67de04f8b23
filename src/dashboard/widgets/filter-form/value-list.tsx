import type { View } from '../../address/address.ts';
import { useAnswer } from '../../api/query.ts';
import { type FilterOperator, PROPERTY } from '../../format/dimensions.ts';
import { formatCount, toNumber } from '../../format/numbers.ts';
import { findNamed, hasNames, nameValue, toSearch } from '../../format/values.ts';
import { pillClass } from '../../ui/button.tsx';
import { Field } from '../../ui/form.tsx';
import { Soft, Words } from '../../ui/layout.tsx';
import { Bones } from '../../ui/loaded.tsx';
import { useSettled } from '../../ui/search-field.tsx';

type ValueListProps = {
  readonly suggestions: Suggestions;
  readonly dimension: string;
  readonly operator: FilterOperator;
  readonly typed: string;
  /** The filter in words that what is typed makes; empty until it is known. */
  readonly meaning: string;
  readonly values: readonly string[];
  readonly onType: (text: string) => void;
  readonly onChange: (values: readonly string[]) => void;
};

/** A filter's values: those chosen, and those found in the period. */
export function ValueList(props: ValueListProps) {
  const { suggestions, dimension, operator, typed, meaning, values, onType, onChange } = props;
  const { offered, isWaiting, error } = suggestions;
  const isPattern = operator.startsWith('matches');
  const others = offered?.filter(({ value }) => !values.includes(value));
  const toggle = (value: string) =>
    onChange(values.includes(value) ? values.filter((each) => each !== value) : [...values, value]);
  return (
    <>
      <Field
        label="Values"
        placeholder={isPattern ? '/blog/**' : 'Type or choose'}
        hint={
          isPattern
            ? '* is anything but a slash, ** anything.'
            : meaning && `Applied as “${meaning}”.`
        }
        autoComplete="off"
        value={typed}
        onChange={(event) => onType(event.target.value)}
      />
      <div style={{ height: 200, margin: '0 -8px', overflow: 'auto' }}>
        {values.map((value) => (
          <ValueBox
            key={value}
            isChosen
            text={nameValue(dimension, value)}
            onToggle={() => toggle(value)}
          />
        ))}
        {isWaiting && <Bones height={192} />}
        {others?.map(({ value, visitors }) => (
          <ValueBox
            key={value}
            text={nameValue(dimension, value)}
            count={formatCount(visitors)}
            onToggle={() => toggle(value)}
          />
        ))}
        {offered?.length === 0 && <Soft>Nothing in this period.</Soft>}
        {error !== null && <Soft>No suggestions: {error.message}</Soft>}
      </div>
    </>
  );
}

type ValueBoxProps = {
  readonly text: string;
  readonly count?: string;
  readonly isChosen?: boolean;
  readonly onToggle: () => void;
};

function ValueBox({ text, count, isChosen = false, onToggle }: ValueBoxProps) {
  return (
    <label
      className={pillClass()}
      style={{
        display: 'flex',
        alignItems: 'center',
        gap: 8,
        color: 'var(--ink)',
        cursor: 'pointer',
      }}
    >
      <input type="checkbox" checked={isChosen} onChange={onToggle} />
      <Words look="cut">{text}</Words>
      {count !== undefined && (
        <Words look={['soft', 'small']} style={{ marginLeft: 'auto' }}>
          {count}
        </Words>
      )}
    </label>
  );
}

const SUGGESTIONS = 8;
/** All there are, as a rule: what is typed may be any of them, and the names of codes are known only here. */
const FOUND_MAX = 500;

/** Values that may be meant. */
type Suggestions = ReturnType<typeof useSuggestions>;

/** The values with the most visitors in which people find the typed text. */
export function useSuggestions(view: View, dimension: string, typed: string) {
  const text = useSettled(typed);
  const isNamed = hasNames(dimension);
  const { data, isFetching, isPlaceholderData, error } = useAnswer(
    view,
    {
      metrics: ['visitors'],
      dimensions: [dimension],
      filters: text === '' || isNamed ? [] : [toSearch(dimension, text)],
      pagination: { limit: isNamed || text !== '' ? FOUND_MAX : SUGGESTIONS },
    },
    dimension !== PROPERTY,
  );
  // While another dimension's values load, those of the one before are still here.
  const isOfDimension = data?.query.dimensions?.[0] === dimension;
  const visitors = new Map(
    (isOfDimension ? data.results : []).map(({ dimensions: [value = ''], metrics }) => [
      value,
      toNumber(metrics[0] ?? null),
    ]),
  );
  const found = isNamed ? findNamed([...visitors.keys()], dimension, typed) : [...visitors.keys()];
  const isOfText = isNamed || text === typed;
  return {
    /** All values found for what is typed; undefined until they are known. */
    found:
      error !== null ? [] : isOfText && isOfDimension && !isPlaceholderData ? found : undefined,
    offered: isOfDimension
      ? found.slice(0, SUGGESTIONS).map((value) => ({ value, visitors: visitors.get(value) ?? 0 }))
      : undefined,
    isWaiting: !isOfDimension && isFetching,
    error,
  };
}
