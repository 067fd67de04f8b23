import type { MetricName } from '../../format/metrics.ts';
import hidden from '../../ui/hidden.module.css';
import { type Notes, notesText } from './geometry/annotations.ts';
import { toBucketText } from './geometry/bucket-text.ts';
import type { ChartData } from './geometry/buckets.ts';

type ChartTableProps = {
  readonly data: ChartData;
  readonly metric: MetricName;
  readonly notes: Notes;
};

/** The chart's data as a table, for screen readers. */
export function ChartTable({ data, metric, notes }: ChartTableProps) {
  const rows = data.buckets.slice(0, data.begun).map((bucket, index) => ({
    bucket,
    text: toBucketText(data, { bucket, index }, metric),
    note: notesText(notes.get(index)),
  }));
  const heads = rows[0]?.text.lines ?? [];
  return (
    <div className={hidden.hidden}>
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
            {notes.size > 0 && <th scope="col">Notes</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ bucket, text, note }) => (
            <tr key={bucket.label}>
              <th scope="row">{[text.title, text.note].filter(Boolean).join(', ')}</th>
              {text.lines.map(({ key, exact }) => (
                <td key={key}>{exact}</td>
              ))}
              {notes.size > 0 && <td>{note}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
