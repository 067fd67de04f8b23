import styles from './arrow.module.css';

/** Says that a button opens something. */
export function Arrow() {
  return (
    <span className={styles.arrow} aria-hidden="true">
      ▾
    </span>
  );
}
