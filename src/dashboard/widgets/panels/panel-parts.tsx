import { useMutation } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { keptSearch, useView, type View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { requestFile } from '../../api/api.ts';
import { type Asked, QUERY_PATH, toQuery } from '../../api/query.ts';
import { formatNoun } from '../../format/numbers.ts';
import { saveBlob } from '../../ui/device.ts';
import { Inline } from '../../ui/layout.tsx';
import { Bones, EmptyNote, Unloaded } from '../../ui/loaded.tsx';
import styles from './panel.module.css';
import { ROWS } from './rows.ts';
import type { Tab } from './tabs.ts';

type FootProps = { readonly note: string; readonly tab: Tab; readonly asked: Asked };

/** How much is shown, and how to get all of it. */
export function Foot({ note, tab, asked }: FootProps) {
  const [, change] = useView();
  return (
    <div className={styles.foot}>
      <span>{note}</span>
      <Inline as="span" gap={16}>
        <CsvButton tab={tab} asked={asked} />
        <button
          type="button"
          aria-label={`Details: ${tab.label}`}
          onClick={() => change({ panel: tab.id })}
        >
          Details
        </button>
      </Inline>
    </div>
  );
}

type PanelFrameProps = {
  readonly isOld?: boolean;
  /** What stands for the content, and what would fill it, if there is nothing. */
  readonly empty: ReactNode;
  readonly isEmpty: boolean;
  /** The line below; by default, one without words. */
  readonly foot?: ReactNode;
  readonly children: ReactNode;
};

/** What a panel shows of an answer, always of the same height. */
export function PanelFrame({ isOld, isEmpty, empty, foot, children }: PanelFrameProps) {
  return (
    <>
      <div className={styles.body} data-old={isOld}>
        {isEmpty ? <EmptyNote>{empty}</EmptyNote> : children}
      </div>
      {foot || <div className={styles.foot}>&nbsp;</div>}
    </>
  );
}

type CsvProps = Pick<FootProps, 'tab' | 'asked'> & {
  /** The page's view, or a part of it. */
  readonly view?: View;
  readonly className?: string;
};

/** Saves all rows as a CSV file, in which no text runs as a formula. */
export function CsvButton({ tab, asked, className, ...props }: CsvProps) {
  const [whole] = useView();
  const site = useSite();
  return (
    <SaveButton
      {...{ name: tab.id, className, 'aria-label': `CSV: ${tab.label}` }}
      toRequest={() => ({ path: QUERY_PATH, body: toQuery(site, props.view ?? whole, asked) })}
    />
  );
}

type SaveButtonProps = ComponentProps<'button'> & {
  /** What the file is about: `payments`. */
  readonly name: string;
  readonly toRequest: () => { readonly path: string; readonly body?: object };
};

/** Saves an answer as a CSV file. */
export function SaveButton({ name, toRequest, ...button }: SaveButtonProps) {
  const { id: site, domain } = useSite();
  const saving = useMutation({
    mutationFn: async () => {
      const { path, body } = toRequest();
      const file = await requestFile(path, { site, body, accept: 'text/csv' });
      saveBlob(file, `${domain}-${name}.csv`);
    },
  });
  return (
    <button
      {...{ type: 'button', disabled: saving.isPending, onClick: () => saving.mutate(), ...button }}
      title={saving.error?.message ?? 'Download all of them for a spreadsheet'}
    >
      {saving.isError ? 'CSV failed. Retry?' : 'CSV'}
    </button>
  );
}

const WIDTHS = [92, 64, 78, 40, 55, 30, 47].slice(0, ROWS);

type Unloadable = Pick<Parameters<typeof Unloaded>[0], 'error' | 'refetch'>;

/** What stands for a panel's answer that is not here. */
export function UnloadedPanel({ error, refetch }: Unloadable) {
  return (
    <Unloaded {...{ error, refetch }}>
      <Skeleton />
    </Unloaded>
  );
}

/** Grey placeholder rows of the final height, and room for the line below. */
export function Skeleton() {
  return (
    <>
      <div className={styles.body} aria-busy="true">
        <div style={{ height: 28 }} />
        {WIDTHS.map((width) => (
          <div key={width} style={{ padding: '9px 16px' }}>
            <Bones width={`${width * 0.6}%`} height={20} />
          </div>
        ))}
      </div>
      <div className={styles.foot}>&nbsp;</div>
    </>
  );
}

type UnattributedLinkProps = { readonly payments: number; readonly className: string | undefined };

/** The name of the row of unattributed payments, which leads to the reason for each. */
export function UnattributedLink({ payments, className }: UnattributedLinkProps) {
  const [view] = useView();
  const { domain } = useSite();
  const search = keptSearch(view, { state: 'unattributed' });
  return (
    <Link to={`/${domain}/payments${search}`} className={className} data-row="">
      Unattributed{' '}
      <span className={styles.code}>
        <span className={styles.wide}>· {formatNoun(payments, 'payment')},</span> why?
      </span>
    </Link>
  );
}
