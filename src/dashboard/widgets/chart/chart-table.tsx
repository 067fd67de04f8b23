import type { MetricName } from '../../format/metrics.ts';
import { toBucketText } from './geometry/bucket-text.ts';
import type { ChartData } from './geometry/buckets.ts';
import styles from './plot.module.css';

type ChartTableProps = { readonly data: ChartData; readonly metric: MetricName };

/** The chart's numbers as a table, for screen readers. */
export function ChartTable({ data, metric }: ChartTableProps) {
  const rows = data.buckets
    .slice(0, data.begun)
    .map((bucket, index) => ({ bucket, text: toBucketText(data, { bucket, index }, metric) }));
  const heads = rows[0]?.text.lines ?? [];
  return (
    <div className={styles.unseen}>
      <table>
        <caption>The chart as a table</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {heads.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ bucket, text }) => (
            <tr key={bucket.label}>
              <th scope="row">{[text.title, text.note].filter(Boolean).join(', ')}</th>
              {text.lines.map(({ key, value, before }) => (
                <td key={key}>{before === undefined ? value : `${value}, before ${before}`}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
