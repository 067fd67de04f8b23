import { formOf, type ShownMetric } from '../../format/metrics.ts';
import { classes } from '../../ui/classes.ts';
import styles from './legend.module.css';

type LegendProps = {
  readonly metric: ShownMetric;
  readonly isCompared: boolean;
  /** Whether bars are shown; undefined if there are none. */
  readonly hasBars: boolean | undefined;
  readonly onToggleBars: () => void;
};

const PARTS = [
  { look: 'new', label: 'New revenue' },
  { look: 'renewals', label: 'Renewals' },
  { look: 'refunds', label: 'Refunds' },
] as const;

/** Explains the line and the bars. Clicking the bars' part toggles them. */
export function Legend({ metric, isCompared, hasBars, onToggleBars }: LegendProps) {
  const look = formOf(metric).unit === 'money' ? styles.money : undefined;
  return (
    <div className={styles.legend}>
      <span className={look}>
        <i className={styles.line} />
        {formOf(metric).label}
      </span>
      {isCompared && (
        <span className={look}>
          <i className={classes(styles.line, styles.before)} />
          Previous
        </span>
      )}
      {hasBars !== undefined && (
        <button
          type="button"
          className={styles.parts}
          aria-pressed={hasBars}
          title={`Payments before refunds; refunds on the day they were made. Click to ${hasBars ? 'hide' : 'show'} the bars.`}
          onClick={onToggleBars}
        >
          {PARTS.map((part) => (
            <span key={part.look}>
              <i className={classes(styles.swatch, styles[part.look])} />
              {part.label}
            </span>
          ))}
        </button>
      )}
    </div>
  );
}
