import { formOf, type ShownMetric } from '../../format/metrics.ts';
import type { BucketText } from './geometry/bucket-text.ts';
import { besideCursor, type Layout } from './geometry/layout.ts';
import styles from './tooltip.module.css';

type TooltipProps = {
  readonly text: BucketText;
  readonly layout: Layout;
  readonly metric: ShownMetric;
  readonly x: number;
  readonly note: string;
};

const WIDTH = 276;

/** All about one bucket. Screen readers get it from the live region instead. */
export function Tooltip({ text, layout, metric, x, note }: TooltipProps) {
  const hasBefore = text.titleBefore !== '';
  return (
    <div
      className={styles.tooltip}
      style={{ width: WIDTH, left: besideCursor(layout, x, WIDTH) }}
      aria-hidden="true"
    >
      <p className={styles.title}>
        <strong>{text.title}</strong>
        {text.note !== '' && <span> {text.note}</span>}
      </p>
      {hasBefore && <p className={styles.before}>before: {text.titleBefore}</p>}
      {note !== '' && <p className={styles.note}>{note}</p>}
      <dl>
        {text.lines.map(({ key, label, value, before }) => (
          <div key={key} data-part={key} data-chosen={key === metric || undefined}>
            <dt>
              <Swatch part={key} isChosen={key === metric} metric={metric} />
              {label}
            </dt>
            <dd>{value}</dd>
            {hasBefore && <dd className={styles.then}>{before}</dd>}
          </div>
        ))}
      </dl>
    </div>
  );
}

type SwatchProps = {
  readonly part: string;
  readonly isChosen: boolean;
  readonly metric: ShownMetric;
};

function Swatch({ part, isChosen, metric }: SwatchProps) {
  if (isChosen) return <i data-look={formOf(metric).unit === 'money' ? 'money' : 'people'} />;
  return ['new', 'renewals', 'refunds'].includes(part) ? <i data-look={part} /> : null;
}
