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

/** A card with a title, and its parts below each other. */
export function Section({ title, children, ...props }: ComponentProps<'section'>) {
  return (
    <Card {...props} isPadded className={styles.section}>
      <h2>{title}</h2>
      {children}
    </Card>
  );
}
