import type { CSSProperties } from 'react';
import type { QueryAnswer } from '#contract/query.ts';
import type { Money } from '#contract/query-fields.ts';
import { useView } from '../../../address/address.ts';
import { useSite } from '../../../api/account.ts';
import { type Asked, isOld, useAnswer } from '../../../api/query.ts';
import { todayIn } from '../../../format/dates.ts';
import type { ShownMetric } from '../../../format/metrics.ts';
import { digitsOf, formatExactMoney, formatWhole } from '../../../format/numbers.ts';
import { classes, Hidden } from '../../../ui/layout.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { measureOf, type PanelProps } from '../choice.ts';
import panel from '../panel.module.css';
import { CsvButton, PanelFrame, UnloadedPanel } from '../panel-parts.tsx';
import { DAYS_MAX, foldHours, latestDays, type Week } from './hours.ts';

/** When in the week it happens: one cell per hour, darker means more. */
export function HoursPanel({ choice }: PanelProps) {
  const [chosen] = useView();
  const { timezone } = useSite();
  const view = latestDays(chosen, todayIn(timezone));
  const { main } = measureOf(choice.measure);
  const asked: Asked = {
    metrics: main === 'visitors' ? [main] : ['visitors', main],
    dimensions: ['time:hour'],
    order_by: [['time:hour', 'desc']],
  };
  const answer = useAnswer(view, asked);
  if (answer.data === undefined) return <UnloadedPanel {...answer} />;
  const shown = toWeek(answer.data, main);
  const { week, metric } = shown;
  const label = measureOf(metric === main ? choice.measure : 'visitors').label;
  const isEmpty = week.flat().every((sum) => sum <= 0);
  return (
    <PanelFrame
      {...{ isOld: isOld(answer), isEmpty, empty: choice.tab.empty }}
      foot={
        <div className={panel.foot}>
          <span>
            {metric !== main && `No ${measureOf(choice.measure).label.toLowerCase()}. `}
            {label} by hour, {timezone}
            {view !== chosen && `, the latest ${DAYS_MAX} days`}
          </span>
          <CsvButton view={view} tab={choice.tab} asked={asked} />
        </div>
      }
    >
      <WeekTable {...shown} label={label} />
    </PanelFrame>
  );
}

/** Money is shown in the currency and with the decimals of a sample. */
type Shown = { readonly week: Week; readonly metric: ShownMetric; readonly sample?: Money };

/** The chosen metric, or visitors if it is all zero. */
function toWeek({ results }: QueryAnswer, main: ShownMetric): Shown {
  const at = main === 'visitors' ? 0 : 1;
  const week = foldHours(results, at);
  const sample = results[0]?.metrics[at];
  if (at > 0 && week.flat().every((sum) => sum === 0)) {
    return { week: foldHours(results, 0), metric: 'visitors' };
  }
  return { week, metric: main, ...(typeof sample === 'object' && sample !== null && { sample }) };
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const HOURS = Array.from({ length: 24 }, (_, hour) => `${hour}`.padStart(2, '0'));

function WeekTable({ week, metric, sample, label }: Shown & { readonly label: string }) {
  const largest = Math.max(...week.flat());
  const show = (sum: number) => {
    if (sample === undefined) return formatWhole(sum);
    return formatExactMoney({ ...sample, value: sum.toFixed(digitsOf(sample)) });
  };
  const isMoney = metric === 'revenue';
  const columns: readonly Column<number>[] = [
    { name: 'day', label: <Hidden>Day</Hidden>, cell: (day) => DAYS[day] },
    ...HOURS.map((name, hour) => ({
      name,
      label: hour % 6 === 0 ? name : <Hidden>{name}</Hidden>,
      cell: (day: number) => <Hidden>{show(week[day]?.[hour] ?? 0)}</Hidden>,
      attributes: (day: number) => ({
        title: `${DAYS[day]} ${name}:00 – ${name}:59 · ${show(week[day]?.[hour] ?? 0)} ${isMoney ? '' : metric}`,
        style: { '--heat': toHeat(week[day]?.[hour] ?? 0, largest) } as CSSProperties,
      }),
    })),
  ];
  return (
    <Table
      {...{ label: `${label} by hour of the week`, columns, look: 'heat' }}
      rows={[...week.keys()]}
      keyOf={(day) => `${day}`}
      className={classes(panel.week, isMoney && panel.money)}
    />
  );
}

/** Square root, or a single peak hour would make all others equally pale. */
function toHeat(sum: number, largest: number): number {
  return sum <= 0 ? 0 : 0.1 + 0.9 * Math.sqrt(sum / largest);
}
