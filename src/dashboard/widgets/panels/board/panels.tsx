import { lazy, Suspense } from 'react';
import type { ChangeView, View } from '../../../address/address.ts';
import { useSite } from '../../../api/account.ts';
import { classes } from '../../../ui/classes.ts';
import { findTab, hasDetails, panelsOf } from '../tabs.ts';
import { Panel } from './panel.tsx';
import styles from './panels.module.css';
import { usePanelKeys } from './use-panel-keys.ts';

const DetailsDialog = lazy(async () => ({
  default: (await import('../details/details-dialog.tsx')).DetailsDialog,
}));

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
