import { ignoredChoices, ignoredFilters, ignoredPeriod, useParams } from '../../address/address.ts';
import styles from './bar.module.css';

/** Says what the address asks for in vain: its figures are of more, or of other days, than was asked. */
export function IgnoredLine() {
  const [params] = useParams();
  const filters = ignoredFilters(params);
  const choices = ignoredChoices(params);
  return (
    <>
      <IgnoredPeriod />
      {filters.length > 0 && (
        <p className={styles.behind} role="status">
          This address has {filters.length === 1 ? 'a filter' : 'filters'} that Tributary does not
          know. The figures are shown without <code>{filters.join(' ')}</code>
        </p>
      )}
      {choices.length > 0 && (
        <p className={styles.behind} role="status">
          This address has {choices.length === 1 ? 'a choice' : 'choices'} that Tributary does not
          know. The usual one is made instead of <code>{choices.join(' ')}</code>
        </p>
      )}
    </>
  );
}

/** Says which period of the address is unknown. */
export function IgnoredPeriod() {
  const [params] = useParams();
  const period = ignoredPeriod(params);
  if (period.length === 0) return null;
  return (
    <p className={styles.behind} role="status">
      This address has a period that Tributary does not know. The last 30 days are shown instead of{' '}
      <code>{period.join(' ')}</code>
    </p>
  );
}
