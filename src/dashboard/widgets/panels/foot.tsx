import { useMutation } from '@tanstack/react-query';
import type { ChangeView, View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { requestFile } from '../../api/api.ts';
import { type Asked, toQuery } from '../../api/query.ts';
import { saveBlob } from '../../ui/save-blob.ts';
import styles from './panel.module.css';
import type { Tab } from './tabs.ts';

type FootProps = {
  readonly note: string;
  readonly view: View;
  readonly onChange: ChangeView;
  readonly tab: Tab;
  readonly asked: Asked;
};

/** How much is shown, and how to get all of it. */
export function Foot({ note, view, onChange, tab, asked }: FootProps) {
  return (
    <div className={styles.foot}>
      <span>{note}</span>
      <span className={styles.actions}>
        <CsvButton view={view} tab={tab} asked={asked} />
        <button
          type="button"
          aria-label={`Details: ${tab.label}`}
          onClick={() => onChange({ panel: tab.id })}
        >
          Details
        </button>
      </span>
    </div>
  );
}

/** A placeholder of the same height. */
export function NoFoot() {
  return <div className={styles.foot}>&nbsp;</div>;
}

type CsvProps = Pick<FootProps, 'view' | 'tab' | 'asked'> & { readonly className?: string };

/** Saves all rows as a CSV file, in which no text runs as a formula. */
export function CsvButton({ view, tab, asked, className }: CsvProps) {
  const site = useSite();
  const saving = useMutation({
    mutationFn: async () => {
      const body = toQuery(site, view, asked);
      const file = await requestFile('/api/v1/query', { site: site.id, body, accept: 'text/csv' });
      saveBlob(file, `${site.domain}-${tab.id}.csv`);
    },
  });
  return (
    <button
      type="button"
      className={className}
      aria-label={`CSV: ${tab.label}`}
      disabled={saving.isPending}
      title={saving.error?.message ?? 'Download all rows for a spreadsheet'}
      onClick={() => saving.mutate()}
    >
      {saving.isError ? 'CSV failed. Retry?' : 'CSV'}
    </button>
  );
}
