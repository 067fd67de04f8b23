import type { ComponentProps } from 'react';
import styles from './card.module.css';
import { classes } from './classes.ts';

/** A white box with a hairline border. */
export function Card({
  isPadded = false,
  className,
  ...props
}: ComponentProps<'section'> & { readonly isPadded?: boolean }) {
  return (
    <section {...props} className={classes(styles.card, isPadded && styles.padded, className)} />
  );
}
