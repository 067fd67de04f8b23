import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { classes } from './classes.ts';

type ButtonProps = ComponentProps<'button'> & {
  readonly look?: 'primary' | 'danger' | 'plain';
  readonly size?: 'small';
};

/** A button; it does not submit unless its `type` says so. */
export function Button({ look, size, className, ...props }: ButtonProps) {
  return <button type="button" {...props} className={buttonClass(look, size, className)} />;
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
