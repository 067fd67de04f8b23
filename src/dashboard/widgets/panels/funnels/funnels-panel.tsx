import { Link } from 'wouter';
import type { FunnelAnswer } from '#contract/reports/funnel.ts';
import type { SavedFunnel } from '#contract/sites/saved.ts';
import { keptSearch, type View } from '../../../address/address.ts';
import { useSite } from '../../../api/account.ts';
import { formatCount, formatWhole } from '../../../format/numbers.ts';
import { Hidden } from '../../../ui/hidden.tsx';
import { EmptyNote } from '../../../ui/note.tsx';
import { FigureText } from '../../figures/figure.tsx';
import { formatRate } from '../../funnel/rate.ts';
import { NO_FUNNEL, toFunnel } from '../../funnel/steps.ts';
import { useFunnelAnswer } from '../../funnel/use-funnel.ts';
import { useSavedFunnels } from '../../funnel/use-saved-funnels.ts';
import { NoFoot } from '../foot.tsx';
import styles from '../panel.module.css';
import type { PanelProps } from '../panel-props.ts';
import { ROWS } from '../rows.ts';
import { UnloadedPanel } from '../skeleton.tsx';

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
        <FunnelTable view={view} funnels={funnels.slice(0, ROWS)} />
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

type TableProps = { readonly view: View; readonly funnels: readonly SavedFunnel[] };

function FunnelTable({ view, funnels }: TableProps) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col" className={styles.nameHead}>
            <Hidden>Funnel</Hidden>
          </th>
          <th scope="col">Began</th>
          <th scope="col">Completed</th>
          <th scope="col">Revenue</th>
        </tr>
      </thead>
      <tbody>
        {funnels.map((saved) => (
          <FunnelRow key={saved.id} view={view} saved={saved} />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = { readonly view: View; readonly saved: SavedFunnel };

function FunnelRow({ view, saved }: RowProps) {
  const { domain } = useSite();
  const { data, error, isPlaceholderData } = useFunnelAnswer(view, toFunnel(saved) ?? NO_FUNNEL);
  return (
    <tr className={styles.row} data-old={isPlaceholderData}>
      <th scope="row">
        <Link
          to={`/${domain}/funnels/${saved.id}${keptSearch(view)}`}
          className={styles.name}
          title={`${saved.name}\nClick to open the funnel`}
          data-row=""
        >
          {saved.name}
        </Link>
      </th>
      {error === null ? (
        <Figures row={data?.results[0]} />
      ) : (
        <td colSpan={3} className={styles.fault} role="alert">
          {error.message}
        </td>
      )}
    </tr>
  );
}

function Figures({ row }: { readonly row: FunnelAnswer['results'][number] | undefined }) {
  const [first, last] = [row?.steps[0], row?.steps.at(-1)];
  return (
    <>
      <td title={first && formatWhole(first.reached)}>{first && formatCount(first.reached)}</td>
      <td title={last && formatWhole(last.reached)}>{last && formatRate(last.conversion_rate)}</td>
      <td>{row && <FigureText value={row.revenue} room={10.2} />}</td>
    </>
  );
}
