import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BucketUnit } from '#domain/time/buckets.ts';
import { useView, type View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { isOld } from '../../api/query.ts';
import { nowIn } from '../../format/dates.ts';
import { pillClass } from '../../ui/button.tsx';
import { Inline } from '../../ui/layout.tsx';
import { Unloaded } from '../../ui/loaded.tsx';
import { ChoiceMenu } from '../../ui/menu/menu.tsx';
import { chosenUnit, countDays, timeDimension, unitsFor } from '../figures/card-metrics.ts';
import { metricOf, useFigures } from '../figures/figures.tsx';
import styles from './chart.module.css';
import { type DayRange, toChartData } from './geometry/buckets.ts';
import { CHART_HEIGHT, type Note } from './geometry/layout.ts';
import { Legend } from './plot.tsx';
import { PlotFrame } from './plot-frame.tsx';

type ChartProps = {
  readonly annotations?: readonly Note[];
  /** Opens the notes at one point; without it, they are read-only. */
  readonly onOpenNotes?: (there: readonly Note[]) => void;
  /** If notes may be added. */
  readonly onAddNote?: (() => void) | undefined;
};

const NO_ANNOTATIONS: readonly Note[] = [];

/** One metric as a line, with revenue as bars on a second axis. */
export function Chart(props: ChartProps) {
  const { annotations = NO_ANNOTATIONS, onOpenNotes, onAddNote } = props;
  const [view] = useView();
  const site = useSite();
  const [hasBars, setHasBars] = useState(true);
  const zoom = useZoom();
  const metric = metricOf(view, site);
  const answer = useFigures(view);
  const { data: figures } = answer;
  const data =
    figures &&
    toChartData({
      ...{ figures, unit: unitIn(figures.query.dimensions) },
      ...{ currency: site.currency, now: nowIn(site.timezone) },
    });
  return (
    <div style={{ padding: '12px 16px 8px' }}>
      <div className={styles.head}>
        <Legend
          metric={metric}
          compared={view.period === 'all' ? 'off' : view.compare}
          hasBars={site.has_payments ? hasBars : undefined}
          onToggleBars={() => setHasBars(!hasBars)}
        />
        <UnitMenu {...{ onAddNote, shown: data?.unit, onZoomBack: zoom.zoomBack }} />
      </div>
      <div style={{ display: 'grid', minHeight: CHART_HEIGHT }} data-old={isOld(answer)}>
        {data !== undefined && figures !== undefined ? (
          <PlotFrame
            {...{ data, metric, annotations, onOpenNotes, zoom }}
            hasBars={site.has_payments && hasBars}
            currency={site.currency}
            range={figures.query.date_range}
          />
        ) : (
          <Unloaded {...answer} height={CHART_HEIGHT} />
        )}
      </div>
    </div>
  );
}

const UNITS = ['hour', 'day', 'week', 'month'] as const;

function unitIn([dimension]: readonly string[]) {
  return UNITS.find((unit) => dimension === timeDimension(unit)) ?? 'auto';
}

const NAMES = {
  minute: 'By the minute',
  hour: 'Hourly',
  day: 'Daily',
  week: 'Weekly',
  month: 'Monthly',
} as const satisfies Readonly<Record<BucketUnit, string>>;

type UnitMenuProps = {
  /** The unit in use. */
  readonly shown: BucketUnit | undefined;
  readonly onZoomBack: (() => void) | undefined;
  readonly onAddNote: (() => void) | undefined;
};

/** The chart's bucket unit, a button to zoom out, and one to add a note. */
function UnitMenu({ shown, onZoomBack, onAddNote }: UnitMenuProps) {
  const [view, change] = useView();
  const look = pillClass(styles.unit);
  const units = unitsFor(countDays(view)).map((value) => ({ value, label: NAMES[value] }));
  return (
    <Inline gap={4} className={styles.units}>
      {onZoomBack && (
        <button type="button" className={look} onClick={onZoomBack}>
          Zoom out
        </button>
      )}
      {onAddNote && (
        <button type="button" className={look} title="Add a note to the chart" onClick={onAddNote}>
          + Note
        </button>
      )}
      <ChoiceMenu
        {...{ name: 'Unit of time', label: shown === undefined ? 'Unit' : NAMES[shown] }}
        {...{ className: look, align: 'end', value: chosenUnit(view) }}
        choices={[{ value: 'auto', label: 'Automatic' }, ...units]}
        onChoose={(by) => change({ by })}
      />
    </Inline>
  );
}

type Step = { readonly into: DayRange; readonly before: Pick<View, 'period' | 'from' | 'to'> };

/** Zooms the period into days and back; remembers the steps while the page is open. */
function useZoom() {
  const [view, change] = useView();
  const site = useSite();
  const client = useQueryClient();
  const queryKey = ['zoom', site.id];
  const { data: steps = [] } = useQuery<readonly Step[]>({
    queryKey,
    queryFn: skipToken,
    initialData: [],
    staleTime: Number.POSITIVE_INFINITY,
  });
  const last = steps.findLast(({ into }) => into.from === view.from && into.to === view.to);
  return {
    zoomTo: (into: DayRange) => {
      const before = { period: view.period, from: view.from, to: view.to };
      client.setQueryData(queryKey, [...steps, { into, before }]);
      change({ period: 'custom', ...into });
    },
    /** Undefined when not zoomed. */
    zoomBack:
      last &&
      (() => {
        client.setQueryData(queryKey, steps.slice(0, steps.indexOf(last)));
        change(last.before);
      }),
  };
}
