import { useEffect, useState } from 'react';

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
