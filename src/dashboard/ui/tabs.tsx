import { classes } from './classes.ts';
import { showInRow } from './show-in-row.ts';
import styles from './tabs.module.css';

type TabsProps<Value extends string> = {
  readonly name: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChoose: (value: Value) => void;
  /** Whether they take several lines if they must; else what is around them scrolls. */
  readonly wraps?: boolean;
};

/** A row of choices, one selected. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { name, value, choices, onChoose, wraps = false } = props;
  return (
    <fieldset className={classes(styles.tabs, wraps && styles.wraps)} aria-label={name}>
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
