import { toState } from './connection-state.ts';
import styles from './providers.module.css';
import type { ShownConnection } from './use-providers.ts';

/** How a connection is: words, and a dot in their colour. */
export function StateWords({ connection }: { readonly connection: ShownConnection }) {
  const { mood, label } = toState(connection);
  return (
    <span className={styles.state} data-mood={mood}>
      {label}
    </span>
  );
}
