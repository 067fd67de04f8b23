import type { DropsAnswer } from '#contract/reports/drops.ts';
import { useView } from '../../../address/address.ts';
import { useGet, useSite } from '../../../api/account.ts';
import { type Asked, isOld, useAnswer } from '../../../api/query.ts';
import { formatCount, formatWhole, toNumber } from '../../../format/numbers.ts';
import { Stack } from '../../../ui/layout.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import type { PanelProps } from '../choice.ts';
import panel from '../panel.module.css';
import { Foot, PanelFrame, UnloadedPanel } from '../panel-parts.tsx';
import { ROWS } from '../rows.ts';
import { BOT_CLASSES, DROP_MEANINGS, sumDrops } from './left-out.ts';

const ASKED: Asked = {
  metrics: ['visitors', 'pageviews'],
  dimensions: ['visit:bot_class'],
  filters: [['is_not', 'visit:bot_class', ['(none)', 'Unattributed']]],
  order_by: [['visitors', 'desc']],
};

/** What no figure includes: visits by bots, and events that were dropped. */
export function BotsPanel({ choice }: PanelProps) {
  const [view] = useView();
  const bots = useAnswer(view, { ...ASKED, pagination: { limit: ROWS } });
  const drops = useDrops(bots.data?.query.date_range);
  if (bots.data === undefined) return <UnloadedPanel {...bots} />;
  if (drops.data === undefined) return <UnloadedPanel {...drops} />;
  const dropped = sumDrops(drops.data.results);
  const isEmpty = bots.data.results.length === 0 && dropped.length === 0;
  const events = dropped.reduce((sum, { count }) => sum + count, 0);
  return (
    <PanelFrame
      {...{ isOld: isOld(bots), isEmpty, empty: choice.tab.empty }}
      foot={
        <Foot
          {...{ note: `${formatCount(events)} events dropped`, asked: ASKED, tab: choice.tab }}
        />
      }
    >
      <Stack gap={12} style={{ padding: '0 16px' }}>
        <Table
          {...{ label: 'Bots', columns: BOTS, look: 'lines' }}
          keyOf={({ name }) => name}
          rows={bots.data.results.map(({ dimensions: [name = ''], metrics }) => ({
            ...(BOT_CLASSES[name] ?? { name, hint: '' }),
            figures: metrics.map((value) => toNumber(value)),
          }))}
          empty="No bots in this period."
        />
        <Table
          {...{ label: 'Dropped events', columns: DROPS, look: 'lines' }}
          keyOf={({ name }) => name}
          rows={dropped.map(({ reason, count }) => ({
            ...(DROP_MEANINGS[reason] ?? { name: reason, hint: '' }),
            figures: [count],
          }))}
          empty="No events were dropped."
        />
      </Stack>
    </PanelFrame>
  );
}

/** The events dropped in the period, as the server interpreted it. */
function useDrops(range: readonly string[] | undefined) {
  const site = useSite();
  const [from = '', to = ''] = range ?? [];
  const path = `/api/v1/drops?${new URLSearchParams({ from, to })}`;
  return useGet<DropsAnswer>(path, {
    ...{ site: site.id, enabled: range !== undefined, placeholderData: (before) => before },
  });
}

type LeftOut = {
  readonly name: string;
  readonly hint: string;
  readonly figures: readonly number[];
};

const columnsOf = (name: string, ...figures: string[]): readonly Column<LeftOut>[] => [
  {
    ...{ name, label: name },
    cell: ({ name, hint }) => (
      <>
        {name}
        {hint !== '' && <span className={panel.code}> · {hint}</span>}
      </>
    ),
    attributes: ({ hint }) => ({ title: hint }),
  },
  ...figures.map((label, at) => ({
    ...{ name: label, label, isNumber: true },
    cell: ({ figures }: LeftOut) => formatCount(figures[at] ?? 0),
    attributes: ({ figures }: LeftOut) => ({ title: formatWhole(figures[at] ?? 0) }),
  })),
];

const BOTS = columnsOf('Bots', 'Visitors', 'Pageviews');
const DROPS = columnsOf('Reason', 'Events');
