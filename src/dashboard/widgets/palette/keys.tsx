import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { lazyPart } from '../../ui/loaded.tsx';
import { groupsHere, isHere, resolveKey, useOpening } from '../keys/key-table.ts';
import { useRun } from './use-run.ts';

const HelpDialog = lazyPart(() => import('./palette.tsx'), 'HelpDialog', null);
const Palette = lazyPart(() => import('./palette.tsx'), 'Palette', null);

/** How long `G` waits for a section's letter. */
const WAIT_MS = 1_500;

/** The shortcuts of the page, with the help and the palette they open. Outside a site there are few. */
export function Shortcuts() {
  const [opened, setOpened] = useState<'help' | 'palette'>();
  const typed = useRef('');
  useOpening('help', () => setOpened('help'));
  useOpening('palette', () => {
    typed.current = '';
    setOpened('palette');
  });
  useKeys(opened === undefined ? undefined : typed);
  const close = () => setOpened(undefined);
  const typedBefore = useCallback(() => typed.current, []);
  return (
    <>
      {opened === 'help' && <HelpDialog groups={groupsHere()} onClose={close} />}
      {opened === 'palette' && <Palette onClose={close} typedBefore={typedBefore} />}
    </>
  );
}

/** `typed`, while something is opened: collects what is typed until it is loaded, when no key may act. */
function useKeys(typed: { current: string } | undefined): void {
  const run = useRun();
  const before = useRef({ key: '', at: 0 });

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat) return;
    if (typed !== undefined) return collect(event, typed);
    const isSoon = event.timeStamp - before.current.at < WAIT_MS;
    const resolved = resolveKey(event, isSoon ? before.current.key : '');
    before.current = { key: '', at: 0 };
    if (resolved === undefined || ('command' in resolved && !isHere(resolved.command))) return;
    if ('isWaiting' in resolved) before.current = { key: 'G', at: event.timeStamp };
    else run(resolved.command);
    event.preventDefault();
  });

  useEffect(() => {
    // Handles keys before the page, so that none act twice; Escape only if nothing else took it.
    // Notes what is open before that same Escape closes it.
    let wasBusy = false;
    const onCapture = (event: KeyboardEvent) => {
      wasBusy = isBusy(event.target);
      if (!wasBusy && event.key !== 'Escape') onKey(event);
    };
    const onBubble = (event: KeyboardEvent) => {
      if (!wasBusy && event.key === 'Escape') onKey(event);
    };
    window.addEventListener('keydown', onCapture, true);
    window.addEventListener('keydown', onBubble);
    return () => {
      window.removeEventListener('keydown', onCapture, true);
      window.removeEventListener('keydown', onBubble);
    };
  }, []);
}

/** Also keeps Enter from what has the focus behind. */
function collect(event: KeyboardEvent, typed: { current: string }): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return;
  if (key === 'Backspace') typed.current = typed.current.slice(0, -1);
  else if (key.length === 1) typed.current += key;
  event.preventDefault();
}

/** Whether the user types, or a menu or dialog is open. The chart is a range, which takes arrows only. */
function isBusy(target: EventTarget | null): boolean {
  const typed = 'input:not([type="range"]), textarea, select, [contenteditable="true"]';
  if (target instanceof Element && target.closest(typed) !== null) return true;
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
}
