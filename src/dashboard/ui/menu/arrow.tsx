import styles from './arrow.module.css';

/** Marks buttons that open something. */
export function Arrow() {
  return (
    <span className={styles.arrow} aria-hidden="true">
      ▾
    </span>
  );
}
