import { useState } from 'react';
import { useSite } from '../../account.ts';
import type { ChangeView, View } from '../../address.ts';
import { nowIn } from '../../format/dates.ts';
import { isMetric, type MetricName } from '../../format/metrics.ts';
import { toCompare, useAnswers } from '../../query.ts';
import { classes } from '../../ui/classes.ts';
import { Bones, ErrorNote } from '../../ui/note.tsx';
import { CARD_METRICS } from '../cards/card-metrics.ts';
import styles from './chart.module.css';
import type { Annotation } from './geometry/annotations.ts';
import { toChartData } from './geometry/buckets.ts';
import { CHART_HEIGHT } from './geometry/layout.ts';
import { chosenUnit, timeDimension } from './geometry/units.ts';
import { Legend } from './legend.tsx';
import { PlotFrame } from './plot-frame.tsx';
import { UnitMenu } from './unit-menu.tsx';
import { useZoom } from './use-zoom.ts';

type ChartProps = {
  readonly view: View;
  readonly onChange: ChangeView;
  readonly annotations?: readonly Annotation[];
};

const NO_ANNOTATIONS: readonly Annotation[] = [];

/** One metric as a line, with revenue as bars on a second axis. */
export function Chart({ view, onChange, annotations = NO_ANNOTATIONS }: ChartProps) {
  const site = useSite();
  const [hasBars, setHasBars] = useState(true);
  const zoom = useZoom(view, onChange);
  const metric: MetricName = isMetric(view.metric) ? view.metric : 'visitors';
  const answer = useChartAnswer(view, metric);
  const [figures, money] = answer.data ?? [];
  const data =
    figures &&
    money &&
    toChartData({
      ...{ figures, money, unit: unitIn(figures.query.dimensions) },
      ...{ currency: site.currency, now: nowIn(site.timezone) },
    });
  return (
    <div className={styles.chart}>
      <div className={styles.head}>
        <Legend
          metric={metric}
          isCompared={view.compare !== 'off' && view.period !== 'all'}
          hasBars={hasBars}
          onToggleBars={() => setHasBars(!hasBars)}
        />
        <UnitMenu view={view} shown={data?.unit} onChange={onChange} onZoomBack={zoom.zoomBack} />
      </div>
      <div className={classes(styles.body, answer.isPlaceholderData && styles.old)}>
        {data !== undefined && figures !== undefined ? (
          <PlotFrame
            {...{ data, metric, hasBars, annotations, zoom }}
            currency={site.currency}
            range={figures.query.date_range}
          />
        ) : answer.error !== null ? (
          <ErrorNote error={answer.error} onRetry={() => void answer.refetch()} />
        ) : (
          <Bones height={CHART_HEIGHT} />
        )}
      </div>
    </div>
  );
}

/** All metrics of the cards by time, so that choosing another one asks for nothing; and the bars. */
function useChartAnswer(view: View, metric: MetricName) {
  const time = timeDimension(chosenUnit(view));
  return useAnswers(view, [
    {
      metrics: [...new Set<MetricName>([...CARD_METRICS, 'refunds', metric])],
      dimensions: [time],
      include: { ...toCompare(view), time_labels: true },
    },
    { metrics: ['gross_revenue'], dimensions: [time, 'payment:renewal'] },
  ]);
}

const UNITS = ['hour', 'day', 'week', 'month'] as const;

function unitIn([dimension]: readonly string[]) {
  return UNITS.find((unit) => dimension === timeDimension(unit)) ?? 'auto';
}
