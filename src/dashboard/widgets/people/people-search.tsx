import { useRef } from 'react';
import styles from './people.module.css';

const PAUSE_MS = 300;

type PeopleSearchProps = {
  readonly text: string;
  readonly onSearch: (text: string) => void;
};

/** Searches people as you type, debounced. */
export function PeopleSearch({ text, onSearch }: PeopleSearchProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return (
    <search className={styles.search}>
      <input
        type="search"
        aria-label="Search people"
        placeholder="Search by name, e-mail or id"
        maxLength={200}
        defaultValue={text}
        onChange={({ target }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => onSearch(target.value), PAUSE_MS);
        }}
      />
    </search>
  );
}
