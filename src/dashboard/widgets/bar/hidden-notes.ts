import { useState } from 'react';

const PLACE = 'tributary-hidden-notes';

/** The notes that were closed in this tab. One whose words have changed since shows again. */
export function useHiddenNotes() {
  const [hidden, setHidden] = useState(read);
  const hide = (note: string) => {
    const next = [...hidden, note];
    setHidden(next);
    try {
      sessionStorage.setItem(PLACE, JSON.stringify(next));
    } catch {
      // Storage is blocked: it stays closed on this page.
    }
  };
  return { hidden, hide };
}

function read(): readonly string[] {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE) ?? '[]') as string[];
  } catch {
    return [];
  }
}
