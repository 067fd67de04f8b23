import type { FilterOperator, View } from '../../address.ts';
import { nameValue, PROPERTY } from '../../format/dimensions.ts';
import { formatCount, toNumber } from '../../format/numbers.ts';
import { useAnswer } from '../../query.ts';
import { Field } from '../../ui/field.tsx';
import { Bones } from '../../ui/note.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import styles from './filter-form.module.css';

const SUGGESTIONS = 8;

type ValueListProps = {
  readonly view: View;
  readonly dimension: string;
  readonly operator: FilterOperator;
  readonly typed: string;
  readonly values: readonly string[];
  readonly onType: (text: string) => void;
  readonly onChange: (values: readonly string[]) => void;
};

/** A filter's values: those chosen, and those found in the period. */
export function ValueList(props: ValueListProps) {
  const { view, dimension, operator, typed, values, onType, onChange } = props;
  const suggested = useSuggestions(view, dimension, typed);
  const isPattern = operator.startsWith('matches');
  // While another dimension's values load, those of the one before are still here.
  const isOfDimension = suggested.data?.query.dimensions?.[0] === dimension;
  const offered = (isOfDimension ? (suggested.data?.results ?? []) : []).map(
    ({ dimensions, metrics }) => ({
      value: dimensions[0] ?? '',
      visitors: toNumber(metrics[0] ?? null),
    }),
  );
  const others = offered.filter(({ value }) => !values.includes(value));
  const toggle = (value: string) =>
    onChange(values.includes(value) ? values.filter((each) => each !== value) : [...values, value]);
  return (
    <>
      <Field
        label="Values"
        placeholder={isPattern ? '/blog/**' : 'Type or choose'}
        {...(isPattern && { hint: '* is anything but a slash, ** anything.' })}
        autoComplete="off"
        value={typed}
        onChange={(event) => onType(event.target.value)}
      />
      <div className={styles.values}>
        {values.map((value) => (
          <ValueBox
            key={value}
            isChosen
            text={nameValue(dimension, value)}
            onToggle={() => toggle(value)}
          />
        ))}
        {!isOfDimension && suggested.isFetching && <Bones height={192} />}
        {others.map(({ value, visitors }) => (
          <ValueBox
            key={value}
            text={nameValue(dimension, value)}
            count={formatCount(visitors)}
            onToggle={() => toggle(value)}
          />
        ))}
        {isOfDimension && offered.length === 0 && (
          <p className={styles.none}>Nothing in this period. What you type is taken as it is.</p>
        )}
        {suggested.isError && (
          <p className={styles.none}>No suggestions: {suggested.error.message}</p>
        )}
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
    <label className={styles.value}>
      <input type="checkbox" checked={isChosen} onChange={onToggle} />
      <span className={styles.text}>{text}</span>
      {count !== undefined && <span className={styles.count}>{count}</span>}
    </label>
  );
}

/** The values with the most visitors that contain the typed text. */
function useSuggestions(view: View, dimension: string, typed: string) {
  const text = useSettled(typed.trim());
  const contains = ['contains', dimension, [text], { case_sensitive: false }];
  return useAnswer(
    view,
    {
      metrics: ['visitors'],
      dimensions: [dimension],
      filters: text === '' ? [] : [contains],
      pagination: { limit: SUGGESTIONS },
    },
    dimension !== PROPERTY,
  );
}
