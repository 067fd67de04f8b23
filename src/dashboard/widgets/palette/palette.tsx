import {
  type KeyboardEvent,
  useCallback,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { SiteContext, useMe, useSite } from '../../account.ts';
import { useLoadedAnswers } from '../../query.ts';
import { useOfSite } from '../../site-settings.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useSavedFunnels } from '../funnel/use-saved-funnels.ts';
import {
  type Entry,
  listEntries,
  listEverywhere,
  listSections,
  type SavedEntries,
} from './entries.ts';
import { findFuzzy } from './fuzzy.ts';
import styles from './palette.module.css';
import { listShownValues } from './shown-values.ts';
import { useChoose } from './use-choose.ts';

type PaletteProps = {
  readonly onClose: () => void;
  /** What was typed before it was loaded. */
  readonly typedBefore: () => string;
};

/** A search field for every page, site, filter and period; outside a site, for pages and sites. */
export function Palette(props: PaletteProps) {
  return useContext(SiteContext) === undefined ? <OfAllSites {...props} /> : <OfSite {...props} />;
}

function OfSite(props: PaletteProps) {
  const sites = useMe().data?.sites ?? [];
  const entries = listEntries(useSite(), sites, useSaved());
  const values = listShownValues(useLoadedAnswers());
  const all = [...entries, ...values];
  return <Finder {...props} hint="A page, site, filter or period" entries={all} />;
}

function OfAllSites(props: PaletteProps) {
  const sites = useMe().data?.sites ?? [];
  const entries = [...listEverywhere(sites), ...listSections(sites)];
  return <Finder {...props} hint="A page or site" entries={entries} />;
}

type FinderProps = PaletteProps & { readonly hint: string; readonly entries: readonly Entry[] };

function Finder({ onClose, typedBefore, hint, entries }: FinderProps) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const act = useChoose();
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const chosen = useRef<HTMLDivElement>(null);
  const found = findFuzzy(entries, typed);
  const choose = (entry: Entry) => {
    onClose();
    act(entry);
  };

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

function useSaved(): SavedEntries {
  const segments = useOfSite<Required<Pick<SavedEntries, 'segments'>>>('/segments');
  const funnels = useSavedFunnels();
  return { segments: segments.data?.segments, funnels: funnels.data?.funnels };
}
