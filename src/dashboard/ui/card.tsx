import type { ComponentProps } from 'react';
import styles from './card.module.css';
import { classes } from './classes.ts';

/** A white field with a hairline around it. */
export function Card({
  isPadded = false,
  className,
  ...props
}: ComponentProps<'section'> & { readonly isPadded?: boolean }) {
  return (
    <section {...props} className={classes(styles.card, isPadded && styles.padded, className)} />
  );
}
