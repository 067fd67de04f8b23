import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';
import { classes, wordsClass } from './layout.tsx';

type ButtonProps = ComponentProps<'button'> & {
  readonly look?: 'primary' | 'danger' | 'plain';
  readonly size?: 'small';
};

/** A button; it does not submit unless its `type` says so. */
export function Button({ look, size, className, ...props }: ButtonProps) {
  return <button type="button" {...props} className={buttonClass(look, size, className)} />;
}

/** A name to click, on one line: its title says it in full, or what a click does. */
export function NameButton(props: Omit<ComponentProps<'button'>, 'className'>) {
  return <button type="button" {...props} className={wordsClass('named')} />;
}

/** Makes a link, or a library component, look like a button. */
export function buttonClass(
  look?: ButtonProps['look'],
  size?: ButtonProps['size'],
  more?: string,
): string {
  return classes(styles.button, look && styles[look], size && styles[size], more);
}

/** Marks buttons that open something. */
export function Arrow() {
  return (
    <span className={styles.arrow} aria-hidden="true">
      ▾
    </span>
  );
}

/** Makes a link, or a button, one of several in a row or a list. */
export function pillClass(...more: readonly (string | false | undefined)[]): string {
  return classes(styles.pill, ...more);
}

/** Makes a link, or a button, a box as wide as its place. */
export function boxClass(): string | undefined {
  return styles.box;
}

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
