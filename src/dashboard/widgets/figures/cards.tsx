import type { CSSProperties } from 'react';
import type { MetricValue } from '#contract/query.ts';
import { useView } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { isOld, toCompare, useAnswer } from '../../api/query.ts';
import { changeOf, formatMetric, formOf, type ShownMetric } from '../../format/metrics.ts';
import { toNumber, widthOf } from '../../format/numbers.ts';
import { classes, Words } from '../../ui/layout.tsx';
import { Bones } from '../../ui/loaded.tsx';
import { useOpening } from '../keys/key-table.ts';
import { cardMetricsOf, mayChart } from './card-metrics.ts';
import styles from './cards.module.css';
import { ChangeText, ESTIMATED, FigureText, metricOf, totalOf, useFigures } from './figures.tsx';

/** The period's figures with their changes. A click makes one the chart's line. */
export function Cards() {
  const [view, change] = useView();
  const site = useSite();
  const metrics = cardMetricsOf(site, view);
  const answer = useFigures(view);
  const apart = metrics.filter((metric) => !mayChart(metric, site, view));
  const costs = useAnswer(view, { metrics: apart, include: toCompare(view) }, apart.length > 0);
  useOpening('card', (place) => change({ metric: metrics[Number(place) - 1] ?? view.metric }));
  // The chart asks the same query, and says what failed.
  if (answer.error !== null && answer.data === undefined) return null;
  return (
    <div
      className={styles.cards}
      data-old={isOld(answer)}
      style={{ '--cards': metrics.length, '--half': metrics.length / 2 } as CSSProperties}
    >
      {metrics.map((metric) => (
        <MetricCard
          key={metric}
          metric={metric}
          isChosen={metricOf(view, site) === metric}
          isApproximate={answer.data?.meta.approximate === true}
          {...totalOf((apart.includes(metric) ? costs : answer).data, metric)}
          onChoose={apart.includes(metric) ? undefined : () => change({ metric })}
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
  /** Undefined if the chart cannot show it. */
  readonly onChoose: (() => void) | undefined;
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
      disabled={onChoose === undefined}
      title={onChoose ? undefined : 'Costs are known by day, and this chart has hours.'}
      data-unit={formOf(metric).unit}
      onClick={onChoose}
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
