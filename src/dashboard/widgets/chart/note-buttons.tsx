import { formatBucket } from '../../format/dates.ts';
import { type Annotation, type Notes, notesText } from './geometry/annotations.ts';
import type { ChartData } from './geometry/buckets.ts';
import { type Layout, middleOf } from './geometry/layout.ts';
import styles from './plot.module.css';

type NoteButtonsProps = {
  readonly notes: Notes;
  readonly data: ChartData;
  readonly layout: Layout;
  readonly onOpen: (there: readonly Annotation[]) => void;
  /** Sets or hides the chart's cursor. */
  readonly onPoint: (index: number | undefined) => void;
};

/** A button over each note's circle; pointing at it shows the note in the tooltip. */
export function NoteButtons({ notes, data, layout, onOpen, onPoint }: NoteButtonsProps) {
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
