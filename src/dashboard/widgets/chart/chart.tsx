import { useState } from 'react';
import type { BucketUnit } from '#domain/time/buckets.ts';
import type { ChangeView, View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { isOld } from '../../api/query.ts';
import { nowIn } from '../../format/dates.ts';
import { Menu, MenuChoices } from '../../ui/menu/menu.tsx';
import { Unloaded } from '../../ui/note.tsx';
import { chosenUnit, countDays, timeDimension, unitsFor } from '../figures/units.ts';
import { metricOf, useFigures } from '../figures/use-figures.ts';
import styles from './chart.module.css';
import type { Note } from './geometry/annotations.ts';
import { toChartData } from './geometry/buckets.ts';
import { CHART_HEIGHT } from './geometry/layout.ts';
import { Legend } from './legend.tsx';
import { PlotFrame } from './plot-frame.tsx';
import { useZoom } from './use-zoom.ts';

type ChartProps = {
  readonly view: View;
  readonly onChange: ChangeView;
  readonly annotations?: readonly Note[];
  /** Opens the notes at one point; without it, they are read-only. */
  readonly onOpenNotes?: (there: readonly Note[]) => void;
  /** If notes may be added. */
  readonly onAddNote?: (() => void) | undefined;
};

const NO_ANNOTATIONS: readonly Note[] = [];

/** One metric as a line, with revenue as bars on a second axis. */
export function Chart(props: ChartProps) {
  const { view, onChange, annotations = NO_ANNOTATIONS, onOpenNotes, onAddNote } = props;
  const site = useSite();
  const [hasBars, setHasBars] = useState(true);
  const zoom = useZoom(view, onChange);
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
    <div className={styles.chart}>
      <div className={styles.head}>
        <Legend
          metric={metric}
          isCompared={view.compare !== 'off' && view.period !== 'all'}
          hasBars={site.has_payments ? hasBars : undefined}
          onToggleBars={() => setHasBars(!hasBars)}
        />
        <UnitMenu
          {...{ view, onChange, onAddNote }}
          shown={data?.unit}
          onZoomBack={zoom.zoomBack}
        />
      </div>
      <div className={styles.body} data-old={isOld(answer)}>
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
  readonly view: View;
  /** The unit in use. */
  readonly shown: BucketUnit | undefined;
  readonly onChange: ChangeView;
  readonly onZoomBack: (() => void) | undefined;
  readonly onAddNote: (() => void) | undefined;
};

/** The chart's bucket unit, a button to zoom out, and one to add a note. */
function UnitMenu({ view, shown, onChange, onZoomBack, onAddNote }: UnitMenuProps) {
  const units = unitsFor(countDays(view)).map((value) => ({ value, label: NAMES[value] }));
  return (
    <div className={styles.units}>
      {onZoomBack && (
        <button type="button" className={styles.unit} onClick={onZoomBack}>
          Zoom out
        </button>
      )}
      {onAddNote && (
        <button
          type="button"
          className={styles.unit}
          title="Add a note to the chart"
          onClick={onAddNote}
        >
          + Note
        </button>
      )}
      <Menu
        label={shown === undefined ? 'Unit' : NAMES[shown]}
        name={`Unit of time: ${shown === undefined ? 'automatic' : NAMES[shown]}`}
        className={styles.unit ?? ''}
        align="end"
      >
        <MenuChoices
          value={chosenUnit(view)}
          choices={[{ value: 'auto', label: 'Automatic' }, ...units]}
          onChoose={(by) => onChange({ by })}
        />
      </Menu>
    </div>
  );
}
