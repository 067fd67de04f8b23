import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { keptSearch, useView } from '../../address/address.ts';
import { filterBy } from '../../address/filters.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { chooseTheme } from '../../ui/theme.ts';
import { useSignOut } from '../head/use-sign-out.ts';
import { open } from '../keys/commands.ts';
import { switchComparison } from '../keys/switch-comparison.ts';
import type { PaletteEntry } from './entries.ts';
import { findFuzzy } from './fuzzy.ts';
import styles from './palette.module.css';

/** What the palette searches. */
export type FinderProps = {
  readonly onClose: () => void;
  /** What was typed before it was loaded. */
  readonly typedBefore: () => string;
  readonly hint: string;
  readonly entries: readonly PaletteEntry[];
  readonly onType?: (typed: string) => void;
};

/** A search field over entries; arrow keys move, Enter chooses. */
export function Finder({ onClose, typedBefore, hint, entries, onType }: FinderProps) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const act = useChoose();
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const chosen = useRef<HTMLDivElement>(null);
  const found = findFuzzy(entries, typed);
  const choose = (entry: PaletteEntry) => {
    onClose();
    act(entry);
  };

  useEffect(() => onType?.(typed), [onType, typed]);

  // Takes the focus and what was typed so far at once, so that no letter falls in between.
  const takeOver = useCallback(
    (input: HTMLInputElement | null) => {
      field.current = input;
      if (input === null) return;
      input.focus();
      setTyped(typedBefore());
    },
    [typedBefore],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: `at` picks the line.
  useEffect(() => chosen.current?.scrollIntoView({ block: 'nearest' }), [at]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const entry = found[at];
    if (event.key === 'Enter' && entry !== undefined) choose(entry);
    if (step === 0) return;
    event.preventDefault();
    setAt((at + step + found.length) % Math.max(found.length, 1));
  };

  return (
    <Dialog title="Find anything" isOpen onClose={onClose} focusOn={field}>
      <input
        ref={takeOver}
        className={styles.input}
        role="combobox"
        aria-label={hint}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={found.length === 0 ? undefined : `${list}-${at}`}
        placeholder={hint}
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={list} role="listbox" aria-label="Found" className={styles.list}>
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys.
          <div
            key={`${entry.group} ${entry.label}`}
            id={`${list}-${index}`}
            ref={index === at ? chosen : undefined}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={styles.line}
            onClick={() => choose(entry)}
          >
            <span className={styles.group}>{entry.group}</span>
            <span className={styles.label}>{entry.label}</span>
            {entry.keys && <kbd>{entry.keys}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className={styles.none}>Nothing here is called “{typed}”.</p>}
    </Dialog>
  );
}

/** Does what an entry of the palette stands for. */
function useChoose(): (entry: PaletteEntry) => void {
  const [view, change] = useView();
  const [, navigate] = useLocation();
  const signOut = useSignOut();
  return ({ goal }) => {
    if ('path' in goal) navigate(`${goal.path}${keptSearch(view)}`);
    else if ('view' in goal) change(goal.view);
    else if ('value' in goal) {
      change({ filters: filterBy(view.filters, 'is', goal.dimension, goal.value) });
    } else if ('theme' in goal) chooseTheme(goal.theme);
    else if ('open' in goal) open(goal.open, goal.detail);
    else if (goal.does === 'sign-out') void signOut();
    else change(switchComparison(view));
  };
}
