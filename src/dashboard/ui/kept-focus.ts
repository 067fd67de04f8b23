const TAKES_FOCUS = 'a[href], button:not([disabled]), summary, input';

/**
 * Keeps the focus near a row of a table or list that goes away with it, or with the dialog that asked about the row: the
 * row beside it gets it, or what is first around them. Returns a function that stops it.
 */
export function keepFocus(): () => void {
  let row: Element | null = null;
  const note = ({ target }: Event) => {
    if (target instanceof Element && !target.closest('[role="dialog"]'))
      row = target.closest('tr, li');
  };
  const observer = new MutationObserver((changes) => {
    if (row === null || row.isConnected) return;
    const change = changes.find((each) =>
      [...each.removedNodes].some((node) => node.contains(row)),
    );
    row = null;
    if (change === undefined) return;
    const section = (change.target as Element).closest('section');
    const near = [change.nextSibling, change.previousSibling, section, section?.parentElement];
    // After a dialog that closes has moved the focus.
    setTimeout(() => {
      if (document.activeElement !== document.body) return;
      const places = near.filter((each) => each instanceof Element);
      const found = places.map((each) => each.querySelector<HTMLElement>(TAKES_FOCUS));
      found.find((each) => each?.isConnected)?.focus();
    });
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const stop = new AbortController();
  for (const kind of ['focusin', 'pointerdown']) {
    document.addEventListener(kind, note, { signal: stop.signal });
  }
  return () => {
    observer.disconnect();
    stop.abort();
  };
}
