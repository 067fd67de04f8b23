import { useEffect, useRef, useState } from 'react';
import styles from './form.module.css';

const REST_MS = 300;

type SearchFieldProps = {
  readonly label: string;
  readonly placeholder: string;
  readonly text: string;
  readonly onSearch: (text: string) => void;
};

/** Searches once the typing rests. */
export function SearchField({ label, text, onSearch, ...input }: SearchFieldProps) {
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  return (
    <input
      {...input}
      className={styles.search}
      type="search"
      aria-label={label}
      maxLength={200}
      defaultValue={text}
      onChange={({ target: { value } }) => {
        clearTimeout(waiting.current);
        waiting.current = setTimeout(() => onSearch(value.trim()), REST_MS);
      }}
    />
  );
}

const TYPING_MS = 250;

/** Debounces a text: not every keystroke is worth a request. */
export function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
