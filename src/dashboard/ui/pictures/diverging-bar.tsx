import { classes } from '../classes.ts';
import styles from './diverging-bar.module.css';

/** A thin bar from the middle: to the right for gains, left for losses; `length` from -1 to 1. */
export function DivergingBar({ length }: { readonly length: number }) {
  const width = `${Math.abs(length) * 50}%`;
  return (
    <div className={styles.track} aria-hidden="true">
      <div
        className={classes(styles.bar, length < 0 && styles.less)}
        style={length < 0 ? { right: '50%', width } : { left: '50%', width }}
      />
    </div>
  );
}
