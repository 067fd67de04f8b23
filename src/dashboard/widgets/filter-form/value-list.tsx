import type { FilterOperator } from '../../format/dimensions.ts';
import { formatCount } from '../../format/numbers.ts';
import { nameValue } from '../../format/values.ts';
import { Field } from '../../ui/field.tsx';
import { Bones } from '../../ui/note.tsx';
import styles from './filter-form.module.css';
import type { Suggestions } from './use-suggestions.ts';

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
      <div className={styles.values}>
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
        {offered?.length === 0 && <p className={styles.none}>Nothing in this period.</p>}
        {error !== null && <p className={styles.none}>No suggestions: {error.message}</p>}
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
