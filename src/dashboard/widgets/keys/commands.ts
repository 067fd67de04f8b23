import { useEffect, useEffectEvent } from 'react';

/** What keys and the palette open; the part of the page that has it listens. */
export type Opening = 'calendar' | 'filter' | 'help' | 'palette';

const openings = new EventTarget();

/** Asks for something to open; `detail` says more, such as the dimension of a new filter. */
export function open(what: Opening, detail = ''): void {
  openings.dispatchEvent(new CustomEvent(what, { detail }));
}

/** Listens for {@link open} as long as the component is shown. */
export function useOpening(what: Opening, onOpen: (detail: string) => void): void {
  const listener = useEffectEvent((asked: Event) => onOpen((asked as CustomEvent<string>).detail));
  useEffect(() => {
    const listen = (asked: Event) => listener(asked);
    openings.addEventListener(what, listen);
    return () => openings.removeEventListener(what, listen);
  }, [what]);
}
