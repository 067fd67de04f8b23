import { describeFilter } from '../../format/dimensions.ts';
import { Logo } from '../head/mark.tsx';
import styles from './share-head.module.css';

type ShareHeadProps = {
  readonly name: string;
  /** Query API filters that apply to everything the link shows. */
  readonly filters: readonly (readonly unknown[])[];
};

/** Whose figures these are and their filters. */
export function ShareHead({ name, filters }: ShareHeadProps) {
  return (
    <header className={styles.head}>
      <h1>{name}</h1>
      {filters.length > 0 && (
        <ul className={styles.filters} aria-label="What is counted">
          {filters.map((filter) => (
            <li key={JSON.stringify(filter)}>{describeFilter(filter)}</li>
          ))}
        </ul>
      )}
      <span className={styles.made}>
        <Logo /> Tributary
      </span>
    </header>
  );
}
