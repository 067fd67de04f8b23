import { memo, useMemo, useRef } from 'react';
import { formatBucket } from '../../format/dates.ts';
import { formOf, type ShownMetric } from '../../format/metrics.ts';
import { useWidth } from '../../ui/box-size.ts';
import { Hidden } from '../../ui/layout.tsx';
import { type Column, Table, textColumn } from '../../ui/table.tsx';
import styles from './chart.module.css';
import {
  bucketSentence,
  type ChartData,
  type DayRange,
  toBucketText,
  zoomDays,
} from './geometry/buckets.ts';
import {
  bucketAt,
  type Layout,
  middleOf,
  type Note,
  type Notes,
  notesText,
  placeAnnotations,
} from './geometry/layout.ts';
import { type Picture, toPicture } from './geometry/picture.ts';
import { Plot, Tooltip } from './plot.tsx';
import { type Selection, useCursor } from './use-cursor.ts';

type PlotFrameProps = {
  readonly data: ChartData;
  readonly metric: ShownMetric;
  readonly hasBars: boolean;
  readonly annotations: readonly Note[];
  readonly onOpenNotes: ((there: readonly Note[]) => void) | undefined;
  readonly zoom: {
    readonly zoomTo: (days: DayRange) => void;
    readonly zoomBack: (() => void) | undefined;
  };
  readonly currency: string;
  /** The period's first instant and its exclusive end. */
  readonly range: readonly string[];
};

const StillPlot = memo(Plot);
const StillTable = memo(ChartTable);

/** The drawing and its cursor, for pointer and keyboard. */
export function PlotFrame(props: PlotFrameProps) {
  const { data, metric, hasBars, annotations, onOpenNotes, zoom, currency, range } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const picture = useMemo(
    () => toPicture(data, { metric, hasBars, width, currency }),
    [data, metric, hasBars, width, currency],
  );
  const notes = useMemo(
    () => placeAnnotations(annotations, data.buckets, data.unit),
    [annotations, data.buckets, data.unit],
  );
  const { layout } = picture;
  const cursor = useCursor({
    count: data.begun,
    toIndex: (x) => bucketAt(layout, x, data.begun),
    onSelect: (from, to) => {
      const [one, other] = [data.buckets[from], data.buckets[to]];
      const days = one && other && zoomDays(one.label, other.label, data.unit, range);
      if (days !== undefined) zoom.zoomTo(days);
    },
    onBack: zoom.zoomBack,
  });
  const at = cursor.index === undefined ? undefined : Math.min(cursor.index, data.begun - 1);
  const bucket = at === undefined ? undefined : data.buckets[at];
  const text =
    at === undefined || bucket === undefined
      ? undefined
      : toBucketText(data, { bucket, index: at }, metric);
  return (
    <div ref={frame} className={styles.frame}>
      {width > 0 && (
        <svg className={styles.svg} width={width} height="268" aria-hidden="true">
          {at !== undefined && <CursorMark picture={picture} index={at} />}
          <StillPlot picture={picture} notes={notes} isMoney={formOf(metric).unit === 'money'} />
          <SelectionMark layout={layout} selection={cursor.selection} />
        </svg>
      )}
      <input
        type="range"
        className={styles.cursor}
        data-keys={cursor.isByKeys || undefined}
        aria-label={`${formOf(metric).label}${data.hasMoney ? ' and revenue' : ''} over time: arrow keys move through it, Escape zooms out`}
        aria-valuetext={text?.title ?? 'Nothing chosen'}
        min={0}
        max={Math.max(data.begun - 1, 0)}
        value={at ?? 0}
        {...cursor.handlers}
      />
      {text !== undefined && at !== undefined && cursor.selection === undefined && (
        <Tooltip
          {...{ text, layout, metric }}
          x={middleOf(layout, at)}
          note={notesText(notes.get(at))}
        />
      )}
      <output aria-live="polite">
        <Hidden>
          {text &&
            [bucketSentence(text), notesText(notes.get(at ?? -1))].filter(Boolean).join('; ')}
        </Hidden>
      </output>
      {onOpenNotes && (
        <NoteButtons {...{ notes, data, layout }} onOpen={onOpenNotes} onPoint={cursor.point} />
      )}
      <StillTable data={data} metric={metric} notes={notes} />
    </div>
  );
}

type ChartTableProps = {
  readonly data: ChartData;
  readonly metric: ShownMetric;
  readonly notes: Notes;
};

/** The chart's data as a table, for screen readers. */
function ChartTable({ data, metric, notes }: ChartTableProps) {
  const rows = data.buckets.slice(0, data.begun).map((bucket, index) => ({
    key: bucket.label,
    text: toBucketText(data, { bucket, index }, metric),
    note: notesText(notes.get(index)),
  }));
  const heads = rows[0]?.text.lines ?? [];
  const notesColumn = textColumn('Notes', ({ note }: ChartRow) => note);
  const columns: readonly Column<ChartRow>[] = [
    textColumn('Time', ({ text }) => [text.title, text.note].filter(Boolean).join(', ')),
    ...heads.map(({ key, label }, at) =>
      textColumn({ name: key, label }, ({ text }: ChartRow) => text.lines[at]?.exact),
    ),
    ...(notes.size > 0 ? [notesColumn] : []),
  ];
  const label = 'The chart as a table';
  return <Table {...{ label, columns, rows, look: 'hidden' }} keyOf={({ key }) => key} />;
}

type ChartRow = {
  readonly key: string;
  readonly text: ReturnType<typeof toBucketText>;
  readonly note: string | undefined;
};

type NoteButtonsProps = {
  readonly notes: Notes;
  readonly data: ChartData;
  readonly layout: Layout;
  readonly onOpen: (there: readonly Note[]) => void;
  /** Sets or hides the chart's cursor. */
  readonly onPoint: (index: number | undefined) => void;
};

/** A button over each note's circle; pointing at it shows the note in the tooltip. */
function NoteButtons({ notes, data, layout, onOpen, onPoint }: NoteButtonsProps) {
  const leave = () => onPoint(undefined);
  return [...notes].map(([index, there]) => {
    const point = () => onPoint(index < data.begun ? index : undefined);
    const when = formatBucket(data.buckets[index]?.label ?? '', data.unit);
    return (
      <button
        key={index}
        type="button"
        className={styles.open}
        style={{ left: middleOf(layout, index) }}
        aria-label={`Note, ${when}: ${notesText(there)}`}
        onPointerEnter={point}
        onPointerLeave={leave}
        onFocus={point}
        onBlur={leave}
        onClick={() => onOpen(there)}
      />
    );
  });
}

/** The bucket under the cursor. */
function CursorMark(props: { readonly picture: Picture; readonly index: number }) {
  const { layout } = props.picture;
  return (
    <rect
      fill="var(--hover)"
      x={layout.left + props.index * layout.band}
      y={layout.top}
      width={Math.max(layout.band, 1)}
      height={layout.bottom - layout.top}
    />
  );
}

/** The dragged selection. */
function SelectionMark(props: {
  readonly layout: Layout;
  readonly selection: Selection | undefined;
}) {
  const { layout, selection } = props;
  if (selection === undefined) return null;
  const [from = 0, to = 0] = [selection.from, selection.to].toSorted((one, other) => one - other);
  return (
    <rect
      fill="var(--blue-line)"
      opacity={0.16}
      x={middleOf(layout, from) - layout.band / 2}
      y={layout.top}
      width={(to - from + 1) * layout.band}
      height={layout.bottom - layout.top}
    />
  );
}
