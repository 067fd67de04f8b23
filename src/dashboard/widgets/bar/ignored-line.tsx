import { ignoredFilters, useParams } from '../../address.ts';
import styles from './bar.module.css';

/** Says which filters of the address are unknown: without them, the figures are of more than was asked. */
export function IgnoredLine() {
  const [params] = useParams();
  const ignored = ignoredFilters(params);
  if (ignored.length === 0) return null;
  return (
    <p className={styles.behind} role="status">
      This address has {ignored.length === 1 ? 'a filter' : 'filters'} that Tributary does not know.
      The figures are shown without <code>{ignored.join(' ')}</code>
    </p>
  );
}
