import { type RefObject, Suspense, useEffect, useRef } from 'react';
import type { ChangeView, View } from '../../../address/address.ts';
import { useSite } from '../../../api/account.ts';
import { classes } from '../../../ui/classes.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { findTab, hasDetails, panelsOf } from '../tabs.ts';
import { Panel } from './panel.tsx';
import styles from './panels.module.css';

const DetailsDialog = lazyPart(() => import('../details/details-dialog.tsx'), 'DetailsDialog');

type PanelsProps = { readonly view: View; readonly onChange: ChangeView };

/** Where visitors and revenue come from, side by side. */
export function Panels({ view, onChange }: PanelsProps) {
  const keys = usePanelKeys();
  const site = useSite();
  const panels = panelsOf(site);
  const isBelowFigures = site.shared?.panels.includes('figures') ?? true;
  const details = findTab(panels, view.panel);
  return (
    <div className={classes(styles.panels, isBelowFigures && styles.belowFigures)} ref={keys}>
      {panels.map((panel) => (
        <Panel key={panel.name} panel={panel} view={view} onChange={onChange} />
      ))}
      {details && hasDetails(details) && (
        <Suspense>
          <DetailsDialog tab={details} view={view} onChange={onChange} />
        </Suspense>
      )}
    </div>
  );
}

/** What arrow keys move between within a panel. */
const ROWS = '[data-row]';
const PANELS = '[data-panel]';

/** `J` and `K` move to the next and previous panel, up and down between rows. */
function usePanelKeys(): RefObject<HTMLDivElement | null> {
  const panels = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (panels.current === null || isTyped(event)) return;
      if (move(panels.current, event.key.toLowerCase())) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return panels;
}

/** Moves the focus; false when the key has no effect. */
function move(panels: HTMLElement, key: string): boolean {
  const here = document.activeElement?.closest<HTMLElement>(PANELS) ?? null;
  if (key === 'j' || key === 'k') {
    const all = [...panels.querySelectorAll<HTMLElement>(PANELS)];
    const at = here === null ? -1 : all.indexOf(here);
    const next = key === 'j' ? at + 1 : Math.max(at, 1) - 1;
    const panel = all[Math.min(next, all.length - 1)];
    panel?.scrollIntoView({ block: 'nearest' });
    (panel?.querySelector<HTMLElement>(ROWS) ?? panel?.querySelector('button'))?.focus();
    return true;
  }
  const step = key === 'arrowdown' ? 1 : key === 'arrowup' ? -1 : 0;
  const row = document.activeElement?.closest<HTMLElement>(ROWS);
  if (step === 0 || here === null || !row) return false;
  const rows = [...here.querySelectorAll<HTMLElement>(ROWS)];
  rows[rows.indexOf(row) + step]?.focus();
  return true;
}

function isTyped(event: KeyboardEvent): boolean {
  const { target } = event;
  return (
    event.defaultPrevented ||
    [event.ctrlKey, event.metaKey, event.altKey, event.shiftKey].includes(true) ||
    (target instanceof HTMLElement &&
      target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null)
  );
}
