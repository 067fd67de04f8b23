import type { CSSProperties } from 'react';
import type { Money } from '#contract/query-fields.ts';
import type { View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { isOld } from '../../api/query.ts';
import { changeOf } from '../../format/change.ts';
import { formatMetric, formOf, type ShownMetric } from '../../format/metrics.ts';
import { toNumber, widthOf } from '../../format/numbers.ts';
import { classes } from '../../ui/classes.ts';
import { Bones } from '../../ui/note.tsx';
import { cardMetricsOf } from '../figures/card-metrics.ts';
import { FigureText } from '../figures/figure.tsx';
import { metricOf, useFigures } from '../figures/use-figures.ts';
import styles from './cards.module.css';

type CardsProps = {
  readonly view: View;
  readonly onChoose: (metric: ShownMetric) => void;
};

/** The period's figures with their changes. A click makes one the chart's line. */
export function Cards({ view, onChoose }: CardsProps) {
  const site = useSite();
  const metrics = cardMetricsOf(site, view);
  const answer = useFigures(view);
  // The chart asks the same query, and says what failed.
  if (answer.error !== null && answer.data === undefined) return null;
  const row = answer.data?.totals;
  return (
    <div
      className={styles.cards}
      data-old={isOld(answer)}
      style={{ '--cards': metrics.length, '--half': metrics.length / 2 } as CSSProperties}
    >
      {metrics.map((metric, index) => (
        <MetricCard
          key={metric}
          metric={metric}
          isChosen={metricOf(view, site) === metric}
          isApproximate={answer.data?.meta.approximate === true}
          value={row && (row.metrics[index] ?? null)}
          before={row?.comparison?.metrics[index]}
          onChoose={onChoose}
        />
      ))}
    </div>
  );
}

type Value = number | Money | null;

type MetricCardProps = {
  readonly metric: ShownMetric;
  readonly isChosen: boolean;
  readonly isApproximate: boolean;
  readonly value: Value | undefined;
  readonly before: Value | undefined;
  readonly onChoose: (metric: ShownMetric) => void;
};

const COUNTS_OF_PEOPLE: readonly ShownMetric[] = [
  'visitors',
  'revenue_per_visitor',
  'conversion_rate',
];

function MetricCard(props: MetricCardProps) {
  const { metric, isChosen, isApproximate, value, before, onChoose } = props;
  const isEstimate = isApproximate && COUNTS_OF_PEOPLE.includes(metric);
  const mark = isEstimate ? '≈ ' : '';
  const figure = value === undefined ? '' : `${mark}${formatMetric(metric, value)}`;
  return (
    <button
      type="button"
      className={classes(styles.card, metric === 'revenue' && styles.money)}
      aria-pressed={isChosen}
      data-unit={formOf(metric).unit}
      onClick={() => onChoose(metric)}
    >
      <span className={styles.label}>{formOf(metric).label}</span>
      {value === undefined ? (
        <>
          <Bones width={88} height={32} />
          <Bones width={64} height={16} />
        </>
      ) : (
        <>
          <strong
            style={{ '--length': widthOf(figure) } as CSSProperties}
            title={
              isEstimate
                ? 'Estimated within 0.3 %, because the period has over a million visits.'
                : undefined
            }
          >
            {mark}
            <FigureText {...{ metric, value }} />
          </strong>
          <ChangeLine metric={metric} value={value} before={before} />
        </>
      )}
    </button>
  );
}

function ChangeLine(props: Pick<MetricCardProps, 'metric' | 'before'> & { readonly value: Value }) {
  const { metric, value, before } = props;
  if (before === undefined || before === null) {
    return <span className={styles.change}>&nbsp;</span>;
  }
  const change = changeOf(metric, numberOf(value), numberOf(before));
  return (
    <span className={styles.change}>
      {change && <em data-mood={change.mood}>{change.text}</em>}
      <span>
        {' '}
        <FigureText metric={metric} value={before} room={8} />
      </span>
    </span>
  );
}

function numberOf(value: Value): number | null {
  return value === null ? null : toNumber(value);
}
