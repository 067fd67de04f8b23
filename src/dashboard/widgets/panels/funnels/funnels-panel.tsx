import { Link } from 'wouter';
import type { SavedFunnel } from '#contract/sites/saved.ts';
import { keptSearch, type View } from '../../../address/address.ts';
import { useSite } from '../../../api/account.ts';
import { formatCount } from '../../../format/numbers.ts';
import { Hidden } from '../../../ui/hidden.tsx';
import { EmptyNote } from '../../../ui/note.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { FigureText } from '../../figures/figure.tsx';
import { formatRate } from '../../funnel/rate.ts';
import { NO_FUNNEL, toFunnel } from '../../funnel/steps.ts';
import { useFunnelAnswer } from '../../funnel/use-funnel.ts';
import { useSavedFunnels } from '../../funnel/use-saved-funnels.ts';
import { NoFoot } from '../foot.tsx';
import styles from '../panel.module.css';
import { ROWS } from '../rows.ts';
import { UnloadedPanel } from '../skeleton.tsx';
import type { PanelProps } from '../use-choice.ts';

/** The site's saved funnels: how many visitors started and completed each. */
export function FunnelsPanel({ view, choice }: PanelProps) {
  const { domain } = useSite();
  const { data, error, refetch } = useSavedFunnels();
  if (data === undefined) return <UnloadedPanel {...{ error, refetch }} />;
  const { funnels } = data;
  const path = `/${domain}/funnels${keptSearch(view)}`;
  if (funnels.length === 0) {
    return (
      <>
        <div className={styles.body}>
          <EmptyNote>
            {choice.tab.empty} <Link to={path}>Build a funnel</Link>
          </EmptyNote>
        </div>
        <NoFoot />
      </>
    );
  }
  return (
    <>
      <div className={styles.body}>
        <Table
          {...{ label: 'Funnels', columns: columnsOf(view), look: 'panel' }}
          rows={funnels.slice(0, ROWS)}
          keyOf={({ id }) => id}
        />
      </div>
      <div className={styles.foot}>
        <span>
          {Math.min(ROWS, funnels.length)} of {funnels.length} saved
        </span>
        <span className={styles.actions}>
          <Link to={path}>All funnels</Link>
        </span>
      </div>
    </>
  );
}

const columnsOf = (view: View): readonly Column<SavedFunnel>[] => [
  {
    ...{ name: 'name', label: <Hidden>Funnel</Hidden> },
    cell: (saved) => <FunnelName {...{ view, saved }} />,
  },
  ...(['Began', 'Completed', 'Revenue'] as const).map((label) => ({
    ...{ name: label, label, isNumber: true, isWide: label === 'Revenue' },
    cell: (saved: SavedFunnel) => <FunnelFigure {...{ view, saved, label }} />,
  })),
];

type FunnelProps = { readonly view: View; readonly saved: SavedFunnel };

function FunnelName({ view, saved }: FunnelProps) {
  const { domain } = useSite();
  const { error } = useFunnelAnswer(view, toFunnel(saved) ?? NO_FUNNEL);
  return (
    <>
      <Link
        to={`/${domain}/funnels/${saved.id}${keptSearch(view)}`}
        className={styles.name}
        title={`${saved.name}\nClick to open the funnel`}
        data-row=""
      >
        {saved.name}
      </Link>
      {error !== null && (
        <span className={styles.fault} role="alert">
          {error.message}
        </span>
      )}
    </>
  );
}

type FigureProps = FunnelProps & { readonly label: 'Began' | 'Completed' | 'Revenue' };

/** All figures of a row are of one answer. */
function FunnelFigure({ view, saved, label }: FigureProps) {
  const { data, isPlaceholderData } = useFunnelAnswer(view, toFunnel(saved) ?? NO_FUNNEL);
  const row = data?.results[0];
  if (row === undefined) return null;
  return (
    <span data-old={isPlaceholderData}>
      {label === 'Began' && formatCount(row.steps[0]?.reached ?? null)}
      {label === 'Completed' && formatRate(row.steps.at(-1)?.conversion_rate ?? null)}
      {label === 'Revenue' && <FigureText value={row.revenue} room={10.2} />}
    </span>
  );
}
