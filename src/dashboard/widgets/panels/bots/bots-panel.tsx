import { useQuery } from '@tanstack/react-query';
import type { DropsAnswer } from '#contract/reports/drops.ts';
import { useSite } from '../../../api/account.ts';
import { request } from '../../../api/api.ts';
import { type Asked, isOld, useAnswer } from '../../../api/query.ts';
import { formatCount, formatWhole, toNumber } from '../../../format/numbers.ts';
import { EmptyNote } from '../../../ui/note.tsx';
import { Foot } from '../foot.tsx';
import panel from '../panel.module.css';
import type { PanelProps } from '../panel-props.ts';
import { ROWS } from '../rows.ts';
import { UnloadedPanel } from '../skeleton.tsx';
import styles from './bots.module.css';
import { BOT_CLASSES, DROP_MEANINGS, sumDrops } from './left-out.ts';

const ASKED: Asked = {
  metrics: ['visitors', 'pageviews'],
  dimensions: ['visit:bot_class'],
  filters: [['is_not', 'visit:bot_class', ['(none)', 'Unattributed']]],
  order_by: [['visitors', 'desc']],
};

/** What no figure includes: visits by bots, and events that were dropped. */
export function BotsPanel({ view, onChange, choice }: PanelProps) {
  const bots = useAnswer(view, { ...ASKED, pagination: { limit: ROWS } });
  const drops = useDrops(bots.data?.query.date_range);
  if (bots.data === undefined) return <UnloadedPanel {...bots} />;
  if (drops.data === undefined) return <UnloadedPanel {...drops} />;
  const dropped = sumDrops(drops.data.results);
  const isEmpty = bots.data.results.length === 0 && dropped.length === 0;
  return (
    <>
      <div className={panel.body} data-old={isOld(bots)}>
        {isEmpty && <EmptyNote>{choice.tab.empty}</EmptyNote>}
        {!isEmpty && (
          <LeftOut
            heads={['Bots', 'Visitors', 'Pageviews']}
            rows={bots.data.results.map(({ dimensions, metrics }) => ({
              ...toClass(dimensions[0] ?? ''),
              figures: metrics.map((value) => toNumber(value)),
            }))}
            none="No bots in this period."
          />
        )}
        {!isEmpty && (
          <LeftOut
            heads={['Reason', 'Events']}
            rows={dropped.map(({ reason, count }) => ({
              ...(DROP_MEANINGS[reason] ?? { name: reason, hint: '' }),
              figures: [count],
            }))}
            none="No events were dropped."
          />
        )}
      </div>
      <Foot
        note={`${formatCount(dropped.reduce((sum, { count }) => sum + count, 0))} events dropped`}
        {...{ view, onChange, asked: ASKED }}
        tab={choice.tab}
      />
    </>
  );
}

function toClass(name: string): { readonly name: string; readonly hint: string } {
  return BOT_CLASSES[name] ?? { name, hint: '' };
}

/** The events dropped in the period, as the server interpreted it. */
function useDrops(range: readonly string[] | undefined) {
  const site = useSite();
  const [from = '', to = ''] = range ?? [];
  const path = `/api/v1/drops?${new URLSearchParams({ from, to })}`;
  return useQuery({
    queryKey: [site.id, path],
    queryFn: ({ signal }) => request<DropsAnswer>(path, { site: site.id, signal }),
    enabled: range !== undefined,
    placeholderData: (before) => before,
  });
}

type LeftOutProps = {
  readonly heads: readonly [string, ...string[]];
  readonly rows: readonly {
    readonly name: string;
    readonly hint: string;
    readonly figures: readonly number[];
  }[];
  readonly none: string;
};

function LeftOut({ heads, rows, none }: LeftOutProps) {
  const [name, ...figures] = heads;
  return (
    <table className={styles.plain}>
      <thead>
        <tr>
          <th scope="col">{name}</th>
          {figures.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.length === 0 && (
          <tr>
            <td colSpan={heads.length} className={panel.code}>
              {none}
            </td>
          </tr>
        )}
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row" title={row.hint}>
              {row.name}
              {row.hint !== '' && <span className={panel.code}> · {row.hint}</span>}
            </th>
            {row.figures.map((figure, at) => (
              <td key={figures[at]} title={formatWhole(figure)}>
                {formatCount(figure)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
