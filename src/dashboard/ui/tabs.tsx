import type { ReactNode } from 'react';
import styles from './button.module.css';
import { pillClass } from './button.tsx';
import { classes } from './classes.ts';

type TabsProps<Value extends string> = {
  readonly name: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChoose: (value: Value) => void;
  /** Whether they take several lines if they must; else what is around them scrolls. */
  readonly wraps?: boolean;
  /** What comes after the last. */
  readonly children?: ReactNode;
};

/** A row of choices, one selected. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { name, value, choices, onChoose, wraps = false, children } = props;
  return (
    <fieldset className={classes(styles.tabs, wraps && styles.wraps)} aria-label={name}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className={pillClass(styles.tab)}
          aria-pressed={choice.value === value}
          ref={choice.value === value ? showInRow : undefined}
          onClick={() => onChoose(choice.value)}
        >
          {choice.label}
        </button>
      ))}
      {children}
    </fieldset>
  );
}

/** Scrolls a row of tabs that is wider than the screen to the selected one; the page stays where it is. */
export function showInRow(tab: HTMLElement | null): void {
  const row = tab?.parentElement;
  if (!tab || !row) return;
  const [inner, outer] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
}
