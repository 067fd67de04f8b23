import type { ReactNode } from 'react';
import styles from './settings.module.css';

/** A line with a leading tick or cross. */
export function CheckLine(props: { readonly isGood: boolean; readonly children: ReactNode }) {
  const { isGood, children } = props;
  return (
    <p className={styles.check}>
      <span
        className={isGood ? styles.good : styles.bad}
        role="img"
        aria-label={isGood ? 'Good' : 'Bad'}
      >
        {isGood ? '✓' : '✕'}
      </span>
      <span>{children}</span>
    </p>
  );
}
