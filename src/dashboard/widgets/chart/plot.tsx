import { classes } from '../../ui/classes.ts';
import { type NoteMark, type Notes, toNoteMarks } from './geometry/annotations.ts';
import { type Layout, middleOf } from './geometry/layout.ts';
import type { LinePaths } from './geometry/lines.ts';
import type { Picture } from './geometry/picture.ts';
import styles from './plot.module.css';

type PlotProps = {
  readonly picture: Picture;
  readonly notes: Notes;
  /** Whether the line is money. */
  readonly isMoney: boolean;
};

/** The grid, the bars and both lines: everything but the cursor. */
export function Plot({ picture, notes, isMoney }: PlotProps) {
  const { layout } = picture;
  return (
    <>
      <Axes picture={picture} />
      {picture.bars.map(({ part, index, isPale, ...place }) => (
        <rect
          key={`${part} ${index}`}
          className={classes(styles[part], isPale && styles.pale)}
          rx={layout.bar > 6 ? 1.5 : 0}
          {...place}
        />
      ))}
      {toNoteMarks(notes, layout).map((mark) => (
        <Note key={mark.x} mark={mark} layout={layout} />
      ))}
      <g className={classes(styles.line, isMoney && styles.money)}>
        <Line paths={picture.before} className={styles.before} />
        <Line paths={picture.line} className={styles.now} />
      </g>
    </>
  );
}

function Axes({ picture: { grid, layout, ticks } }: Pick<PlotProps, 'picture'>) {
  return (
    <g className={styles.axis}>
      {grid.map(({ y, left, right, isZero }) => (
        <g key={y} className={classes(isZero && styles.zero)}>
          <line x1={layout.left} x2={layout.right} y1={y} y2={y} />
          <text x={layout.left - 8} y={y + 4} textAnchor="end">
            {left}
          </text>
          <text x={layout.right + 8} y={y + 4}>
            {right}
          </text>
        </g>
      ))}
      {ticks.map(({ index, text }) => (
        <text key={index} x={middleOf(layout, index)} y={layout.bottom + 20} textAnchor="middle">
          {text}
        </text>
      ))}
    </g>
  );
}

function Line({
  paths,
  className,
}: {
  readonly paths: LinePaths;
  readonly className: string | undefined;
}) {
  return (
    <g className={className}>
      <path d={paths.solid} />
      <path d={paths.dotted} className={styles.dotted} />
      {paths.lone.map(({ x, y }) => (
        <circle key={x} cx={x} cy={y} r="3" />
      ))}
    </g>
  );
}

/** A small circle on a dotted line, with its text if there is room. */
function Note(props: { readonly mark: NoteMark; readonly layout: Layout }) {
  const { mark, layout } = props;
  const { x, isLate, text } = mark;
  return (
    <g className={styles.note}>
      <line x1={x} x2={x} y1="12" y2={layout.bottom} />
      <circle cx={x} cy="8" r="4" />
      <text x={x + (isLate ? -10 : 10)} y="12" textAnchor={isLate ? 'end' : 'start'}>
        {text}
      </text>
    </g>
  );
}
