import { Link } from 'wouter';
import type { SavedFunnel } from '#contract/sites/saved.ts';
import { keptSearch, useView } from '../../../address/address.ts';
import { useSite } from '../../../api/account.ts';
import { formatCount, formatRate } from '../../../format/numbers.ts';
import { Hidden, Words } from '../../../ui/layout.tsx';
import { type Column, numberColumn, Table, textColumn } from '../../../ui/table.tsx';
import { FigureText } from '../../figures/figures.tsx';
import { NO_FUNNEL, toFunnel, useFunnelAnswer, useSavedFunnels } from '../../funnel/steps.ts';
import type { PanelProps } from '../choice.ts';
import styles from '../panel.module.css';
import { PanelFrame, UnloadedPanel } from '../panel-parts.tsx';
import { ROWS } from '../rows.ts';

/** The site's saved funnels: how many visitors started and completed each. */
export function FunnelsPanel({ choice }: PanelProps) {
  const [view] = useView();
  const { domain } = useSite();
  const { data, error, refetch } = useSavedFunnels();
  if (data === undefined) return <UnloadedPanel {...{ error, refetch }} />;
  const { funnels } = data;
  const path = `/${domain}/funnels${keptSearch(view)}`;
  return (
    <PanelFrame
      isEmpty={funnels.length === 0}
      empty={
        <>
          {choice.tab.empty} <Link to={path}>Build a funnel</Link>
        </>
      }
      foot={
        funnels.length > 0 && (
          <div className={styles.foot}>
            <span>
              {Math.min(ROWS, funnels.length)} of {funnels.length} saved
            </span>
            <Link to={path}>All funnels</Link>
          </div>
        )
      }
    >
      <Table
        {...{ label: 'Funnels', columns: COLUMNS, look: 'panel' }}
        rows={funnels.slice(0, ROWS)}
        keyOf={({ id }) => id}
      />
    </PanelFrame>
  );
}

const COLUMNS: readonly Column<SavedFunnel>[] = [
  textColumn({ name: 'name', label: <Hidden>Funnel</Hidden> }, (saved) => (
    <FunnelName saved={saved} />
  )),
  ...(['Began', 'Completed', 'Revenue'] as const).map((label) =>
    numberColumn({ name: label, label, isWide: label === 'Revenue' }, (saved: SavedFunnel) => (
      <FunnelFigure {...{ saved, label }} />
    )),
  ),
];

type FunnelProps = { readonly saved: SavedFunnel };

function FunnelName({ saved }: FunnelProps) {
  const [view] = useView();
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
        <Words look={['soft', 'tiny']} role="alert">
          {error.message}
        </Words>
      )}
    </>
  );
}

type FigureProps = FunnelProps & { readonly label: 'Began' | 'Completed' | 'Revenue' };

/** All figures of a row are of one answer. */
function FunnelFigure({ saved, label }: FigureProps) {
  const [view] = useView();
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
