import { Link } from 'wouter';
import type { LiveAnswer } from '#contract/live.ts';
import { keptSearch } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { formatCount } from '../../format/numbers.ts';
import { nameValue } from '../../format/values.ts';
import { Card } from '../../ui/card.tsx';
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
  return (
    <Card className={styles.places}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <h2>{title}</h2>
            </th>
            <th scope="col">Now</th>
            <th scope="col">30 min</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS_MAX).map(({ value, visitors }) => (
            <tr key={value}>
              <th scope="row">
                <Value value={value} dimension={dimension} />
                <span
                  className={styles.bar}
                  style={{ width: `${(visitors.last_30_minutes / highest) * 100}%` }}
                >
                  <i
                    style={{
                      width: `${(visitors.last_5_minutes / visitors.last_30_minutes) * 100}%`,
                    }}
                  />
                </span>
              </th>
              <td>{formatCount(visitors.last_5_minutes)}</td>
              <td>{formatCount(visitors.last_30_minutes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className={styles.none}>{ifEmpty}</p>}
    </Card>
  );
}

function Value({ value, dimension }: { readonly value: string; readonly dimension: string }) {
  const { domain } = useSite();
  if (value === '(none)') return <span className={styles.value}>{value}</span>;
  const filter = { operator: 'is', dimension, values: [value] } as const;
  return (
    <Link
      className={styles.value}
      to={`/${domain}${keptSearch({ ...TODAY, filters: [filter] })}`}
      title={value}
    >
      {nameValue(dimension, value)}
    </Link>
  );
}
