import { showInRow } from './show-in-row.ts';
import styles from './tabs.module.css';

type TabsProps<Value extends string> = {
  readonly name: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChoose: (value: Value) => void;
};

/** A row of choices, one selected. */
export function Tabs<Value extends string>({ name, value, choices, onChoose }: TabsProps<Value>) {
  return (
    <fieldset className={styles.tabs} aria-label={name}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className={styles.tab}
          aria-pressed={choice.value === value}
          ref={choice.value === value ? showInRow : undefined}
          onClick={() => onChoose(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}
