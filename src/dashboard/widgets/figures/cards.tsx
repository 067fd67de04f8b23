import type { CSSProperties } from 'react';
import type { MetricValue } from '#contract/query.ts';
import { useView } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { isOld } from '../../api/query.ts';
import { changeOf, formatMetric, formOf, type ShownMetric } from '../../format/metrics.ts';
import { toNumber, widthOf } from '../../format/numbers.ts';
import { classes, Words } from '../../ui/layout.tsx';
import { Bones } from '../../ui/loaded.tsx';
import { useOpening } from '../keys/key-table.ts';
import { cardMetricsOf } from './card-metrics.ts';
import styles from './cards.module.css';
import { ChangeText, ESTIMATED, FigureText, metricOf, useFigures } from './figures.tsx';

/** The period's figures with their changes. A click makes one the chart's line. */
export function Cards() {
  const [view, change] = useView();
  const site = useSite();
  const metrics = cardMetricsOf(site, view);
  const answer = useFigures(view);
  useOpening('card', (place) => change({ metric: metrics[Number(place) - 1] ?? view.metric }));
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
          onChoose={(chosen) => change({ metric: chosen })}
        />
      ))}
    </div>
  );
}

type MetricCardProps = {
  readonly metric: ShownMetric;
  readonly isChosen: boolean;
  readonly isApproximate: boolean;
  readonly value: MetricValue | undefined;
  readonly before: MetricValue | undefined;
  readonly onChoose: (metric: ShownMetric) => void;
};

const OF_PEOPLE: readonly ShownMetric[] = ['visitors', 'revenue_per_visitor', 'conversion_rate'];

function MetricCard(props: MetricCardProps) {
  const { metric, isChosen, isApproximate, value, before, onChoose } = props;
  const isEstimate = isApproximate && OF_PEOPLE.includes(metric);
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
      <Words look={['soft', 'small', 'cut']}>{formOf(metric).label}</Words>
      {value === undefined ? (
        <>
          <Bones width={88} height={32} />
          <Bones width={64} height={16} />
        </>
      ) : (
        <>
          <strong
            style={{ '--length': widthOf(figure) } as CSSProperties}
            title={isEstimate ? ESTIMATED : undefined}
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

function ChangeLine(
  props: Pick<MetricCardProps, 'metric' | 'before'> & { readonly value: MetricValue },
) {
  const { metric, value, before } = props;
  if (before === undefined || before === null) return <Words look="tiny">&nbsp;</Words>;
  const now = value === null ? null : toNumber(value);
  const change = changeOf(metric, now, toNumber(before));
  return (
    <Words look={['soft', 'tiny', 'cut']}>
      <ChangeText change={change} /> <FigureText metric={metric} value={before} room={8} />
    </Words>
  );
}
