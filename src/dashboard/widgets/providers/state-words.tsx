import { toState } from './connection-state.ts';
import styles from './providers.module.css';
import type { Connection } from './use-providers.ts';

/** How a connection is: words, and a dot in their colour. */
export function StateWords({ connection }: { readonly connection: Connection }) {
  const { mood, label } = toState(connection);
  return (
    <span className={styles.state} data-mood={mood}>
      {label}
    </span>
  );
}
