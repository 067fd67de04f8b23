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
