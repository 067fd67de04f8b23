import type { FunnelAnswer } from '#contract/reports/funnel.ts';
import type { ChangeView, View } from '../../address.ts';
import { formatCount, formatDuration, toNumber } from '../../format/numbers.ts';

import { isOld } from '../../query.ts';
import { Card } from '../../ui/card.tsx';
import { Arrow } from '../../ui/menu/arrow.tsx';
import { Menu, MenuChoices } from '../../ui/menu/menu.tsx';
import { Bones, EmptyNote, ErrorNote } from '../../ui/note.tsx';
import { Figure } from '../figure.tsx';
import { filterBy } from '../panels/filters.ts';
import { nameRow } from '../panels/names.ts';
import styles from './breakdown.module.css';
import { formatRate } from './rate.ts';
import type { Funnel } from './steps.ts';
import { type ChangeFunnel, useFunnelAnswer } from './use-funnel.ts';

const ROWS = 12;
const SPLITS = [
  { value: 'visit:channel', label: 'Channel' },
  { value: 'visit:source', label: 'Source' },
  { value: 'visit:campaign', label: 'Campaign' },
  { value: 'visit:entry_page', label: 'Entry page' },
  { value: 'visit:country', label: 'Country' },
  { value: 'visit:device', label: 'Device' },
  { value: 'visit:browser', label: 'Browser' },
];

type Props = {
  readonly view: View;
  readonly onView: ChangeView;
  readonly funnel: Funnel;
  readonly onFunnel: ChangeFunnel;
};

/** The funnel by channel, source, device … of the visit it started in. */
export function Breakdown({ view, onView, funnel, onFunnel }: Props) {
  const { split } = funnel;
  const answer = useFunnelAnswer(view, funnel, { dimensions: [split], limit: ROWS });
  const label = SPLITS.find(({ value }) => value === split)?.label ?? split.replace(/^.*:/, '');
  const { data, error } = answer;
  return (
    <Card className={styles.card} aria-label="Breakdown of the funnel">
      <div className={styles.top}>
        <h2>By {label.toLowerCase()}</h2>
        <Menu
          name={`${label}: break down by`}
          label={
            <>
              {label} <Arrow />
            </>
          }
          align="end"
        >
          <MenuChoices
            value={split}
            choices={SPLITS}
            onChoose={(chosen) => onFunnel({ split: chosen })}
          />
        </Menu>
      </div>
      {error !== null && <ErrorNote error={error} onRetry={() => void answer.refetch()} />}
      {data === undefined && error === null && <Bones height={320} />}
      {data?.results.length === 0 && (
        <EmptyNote>Nobody started this funnel in the period.</EmptyNote>
      )}
      {data !== undefined && data.results.length > 0 && (
        <div className={styles.scroll} data-old={isOld(answer)}>
          <Rows
            rows={data.results}
            split={data.query.dimensions?.[0] ?? split}
            onPick={(value) => onView({ filters: filterBy(view.filters, 'is', split, value) })}
          />
        </div>
      )}
      {data !== undefined && data.meta.total_rows > data.results.length && (
        <p className={styles.rest}>
          {data.results.length} of {formatCount(data.meta.total_rows)}, those that most began from.
        </p>
      )}
    </Card>
  );
}

type RowsProps = {
  readonly rows: FunnelAnswer['results'];
  readonly split: string;
  readonly onPick: (value: string) => void;
};

function Rows({ rows, split, onPick }: RowsProps) {
  const most = Math.max(1, ...rows.map(({ steps }) => steps[0]?.reached ?? 0));
  const richest = Math.max(1, ...rows.map(({ revenue }) => toNumber(revenue)));
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Began from</th>
          <th scope="col">Started</th>
          <th scope="col">Finished</th>
          <th scope="col">Finished, %</th>
          <th scope="col">Median time</th>
          <th scope="col">Revenue</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ dimensions: [value = ''], steps, revenue }) => {
          const began = steps[0]?.reached ?? 0;
          const last = steps.at(-1);
          return (
            <tr key={value}>
              <th scope="row">
                <button type="button" className={styles.name} onClick={() => onPick(value)}>
                  {nameRow({ dimension: split }, value).text}
                </button>
                <span className={styles.bars} aria-hidden="true">
                  <i className={styles.people} style={{ width: `${(began / most) * 100}%` }} />
                  <i
                    className={styles.money}
                    style={{ width: `${Math.max(0, toNumber(revenue) / richest) * 100}%` }}
                  />
                </span>
              </th>
              <td>{formatCount(began)}</td>
              <td>{formatCount(last?.reached ?? 0)}</td>
              <td>{formatRate(last?.conversion_rate ?? null)}</td>
              <td>{formatDuration(last?.median_seconds_from_start ?? null)}</td>
              <td>
                <Figure value={revenue} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
