import { useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';

/** What keys and the palette can open or start; its owner on the page listens. */
export type Opening = 'calendar' | 'filter' | 'share' | 'help' | 'palette';

const openings = new EventTarget();

/**
 * Asks for something to be opened; `detail` adds, say, a new filter's dimension. The page knows of
 * it before the next key: React would render later, as this event is none of the user's.
 */
export function open(what: Opening, detail = ''): void {
  flushSync(() => openings.dispatchEvent(new CustomEvent(what, { detail })));
}

/** Listens for {@link open} while the component is mounted. */
export function useOpening(what: Opening, onOpen: (detail: string) => void): void {
  const listener = useEffectEvent((asked: Event) => onOpen((asked as CustomEvent<string>).detail));
  useEffect(() => {
    const listen = (asked: Event) => listener(asked);
    openings.addEventListener(what, listen);
    return () => openings.removeEventListener(what, listen);
  }, [what]);
}
