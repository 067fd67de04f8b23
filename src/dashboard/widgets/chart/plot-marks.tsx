import { type Layout, middleOf } from './geometry/layout.ts';
import type { Picture } from './geometry/picture.ts';
import styles from './plot.module.css';
import type { Selection } from './use-cursor.ts';

/** The bucket under the cursor. */
export function CursorMark(props: { readonly picture: Picture; readonly index: number }) {
  const { layout } = props.picture;
  return (
    <rect
      className={styles.here}
      x={layout.left + props.index * layout.band}
      y={layout.top}
      width={Math.max(layout.band, 1)}
      height={layout.bottom - layout.top}
    />
  );
}

/** The dragged selection. */
export function SelectionMark({
  layout,
  selection,
}: {
  readonly layout: Layout;
  readonly selection: Selection | undefined;
}) {
  if (selection === undefined) return null;
  const [from, to] = [
    Math.min(selection.from, selection.to),
    Math.max(selection.from, selection.to),
  ];
  return (
    <rect
      className={styles.selection}
      x={middleOf(layout, from) - layout.band / 2}
      y={layout.top}
      width={(to - from + 1) * layout.band}
      height={layout.bottom - layout.top}
    />
  );
}
