import { Link } from 'wouter';
import type { LiveAnswer } from '#contract/live.ts';
import { keptSearch } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { formatCount } from '../../format/numbers.ts';
import { nameValue } from '../../format/values.ts';
import { Card } from '../../ui/card.tsx';
import { Soft, Words, wordsClass } from '../../ui/layout.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import styles from './live.module.css';
import { TODAY } from './live-map.tsx';

const ROWS_MAX = 10;

type PlacesProps = {
  readonly title: string;
  readonly dimension: string;
  readonly rows: LiveAnswer['pages'];
  readonly ifEmpty: string;
};

/** Where visitors are or came from: now, and in the last half hour. */
export function LivePlaces({ title, dimension, rows, ifEmpty }: PlacesProps) {
  const highest = Math.max(1, ...rows.map(({ visitors }) => visitors.last_30_minutes));
  const columns: readonly Column<LiveAnswer['pages'][number]>[] = [
    {
      ...{ name: 'value', label: <h2>{title}</h2> },
      cell: ({ value, visitors: { last_5_minutes: now, last_30_minutes: all } }) => (
        <>
          <Value value={value} dimension={dimension} />
          <span className={styles.bar} style={{ width: `${(all / highest) * 100}%` }}>
            <i style={{ width: `${(now / all) * 100}%` }} />
          </span>
        </>
      ),
    },
    {
      ...{ name: 'now', label: 'Now', isNumber: true },
      cell: ({ visitors }) => formatCount(visitors.last_5_minutes),
    },
    {
      ...{ name: 'all', label: '30 min', isNumber: true, className: wordsClass('soft') },
      cell: ({ visitors }) => formatCount(visitors.last_30_minutes),
    },
  ];
  return (
    <Card isPadded className={styles.places}>
      <Table
        {...{ label: title, columns, look: 'lines' }}
        rows={rows.slice(0, ROWS_MAX)}
        keyOf={({ value }) => value}
      />
      {rows.length === 0 && <Soft>{ifEmpty}</Soft>}
    </Card>
  );
}

function Value({ value, dimension }: { readonly value: string; readonly dimension: string }) {
  const { domain } = useSite();
  if (value === '(none)') return <Words look="cut">{value}</Words>;
  const filter = { operator: 'is', dimension, values: [value] } as const;
  return (
    <Link
      className={wordsClass('cut')}
      to={`/${domain}${keptSearch({ ...TODAY, filters: [filter] })}`}
      title={value}
    >
      {nameValue(dimension, value)}
    </Link>
  );
}
