import {
  type KeyboardEvent,
  useCallback,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { SegmentsAnswer } from '#contract/sites/saved.ts';
import { useView } from '../../address/address.ts';
import { SiteContext, useMe, useOfSite, useSite } from '../../api/account.ts';
import { useAnswer, useLoadedAnswers } from '../../api/query.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Inline, Soft, Words, wordsClass } from '../../ui/layout.tsx';
import { useSavedFunnels } from '../funnel/steps.ts';
import { isHere, type KeyGroup } from '../keys/key-table.ts';
import {
  listEntries,
  listEverywhere,
  listSections,
  listShownValues,
  type PaletteEntry,
  type SavedEntries,
} from './entries.ts';
import { findFuzzy } from './fuzzy.ts';
import styles from './palette.module.css';
import { useRun } from './use-run.ts';

type PaletteProps = Pick<FinderProps, 'onClose' | 'typedBefore'>;

/** A search field for every page, site, filter and period; outside a site, for pages and sites. */
export function Palette(props: PaletteProps) {
  const site = useContext(SiteContext);
  const isOne = site !== undefined && site.combined === undefined;
  return isOne ? <OfSite {...props} /> : <OfAllSites {...props} />;
}

function OfSite(props: PaletteProps) {
  const [typed, setTyped] = useState('');
  useValues(typed.trim().length > 1);
  const sites = useMe().data?.sites ?? [];
  const entries = listEntries(useSite(), sites, useSaved());
  const values = listShownValues(useLoadedAnswers());
  const all = [...entries, ...values].filter(({ goal }) => isHere(goal));
  return (
    <Finder {...props} hint="A page, site, filter or period" entries={all} onType={setTyped} />
  );
}

/** Loads the period's values, so that they are found before a panel has shown them. */
function useValues(isEnabled: boolean): void {
  const [view] = useView();
  const { shared } = useSite();
  const isAsked = isEnabled && shared === undefined;
  const visits = { dimensions: VISIT_DIMENSIONS, separately: true, pagination: { limit: 500 } };
  useAnswer(view, { metrics: ['visitors'], ...visits }, isAsked);
  const pages = { dimensions: ['event:page'], pagination: { limit: 100 } };
  useAnswer(view, { metrics: ['visitors'], ...pages }, isAsked);
}

const VISIT_DIMENSIONS = ['source', 'campaign', 'country', 'browser', 'os'].map(
  (name) => `visit:${name}`,
);

function OfAllSites(props: PaletteProps) {
  const sites = useMe().data?.sites ?? [];
  const entries = [...listEverywhere(sites), ...listSections(sites)];
  return <Finder {...props} hint="A page or site" entries={entries} />;
}

function useSaved(): SavedEntries {
  const segments = useOfSite<SegmentsAnswer>('/segments');
  const funnels = useSavedFunnels();
  return { segments: segments.data?.segments, funnels: funnels.data?.funnels };
}

/** What the palette searches. */
type FinderProps = {
  readonly onClose: () => void;
  /** What was typed before it was loaded. */
  readonly typedBefore: () => string;
  readonly hint: string;
  readonly entries: readonly PaletteEntry[];
  readonly onType?: (typed: string) => void;
};

const LIST = { height: 'min(384px, 50dvh)', margin: '8px -12px -12px', overflow: 'auto' };

/** A search field over entries; arrow keys move, Enter chooses. */
function Finder({ onClose, typedBefore, hint, entries, onType }: FinderProps) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const run = useRun();
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const chosen = useRef<HTMLDivElement>(null);
  const found = findFuzzy(entries, typed);
  const choose = (entry: PaletteEntry) => {
    onClose();
    run(entry.goal);
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
        style={{ width: '100%', height: 40, fontSize: 16 }}
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
      <div id={list} role="listbox" aria-label="Found" style={LIST}>
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
            <Words
              look={['soft', 'small', 'cut']}
              style={{ flex: 'none', width: 'min(120px, 25%)' }}
            >
              {entry.group}
            </Words>
            <Words look="cut">{entry.label}</Words>
            {entry.keys && <kbd>{entry.keys}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <Soft>Nothing here is called “{typed}”.</Soft>}
    </Dialog>
  );
}

type HelpDialogProps = { readonly groups: readonly KeyGroup[]; readonly onClose: () => void };

/** The shortcuts that work on the page. */
export function HelpDialog({ groups, onClose }: HelpDialogProps) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen onClose={onClose}>
      <div style={{ columns: '220px 2', columnGap: 32 }}>
        {groups.map(({ name, lines }) => (
          <section key={name} style={{ marginBottom: 20, breakInside: 'avoid' }}>
            <h3>{name}</h3>
            <dl>
              {lines.map(({ keys, label }) => (
                <Inline key={keys} isSpread style={{ flexWrap: 'nowrap' }}>
                  <dt className={wordsClass('soft')}>{label}</dt>
                  <Inline as="dd" gap={4} style={{ flex: 'none' }}>
                    {keys.split(' ').map((key) => (
                      <kbd key={key} className={styles.key}>
                        {key}
                      </kbd>
                    ))}
                  </Inline>
                </Inline>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
