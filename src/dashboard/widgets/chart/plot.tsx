import {
  type Layout,
  type LinePaths,
  middleOf,
  type NoteMark,
  type Notes,
  toNoteMarks,
} from './geometry/layout.ts';
import type { Picture } from './geometry/picture.ts';

/** The colours of lines and bars, in the chart and where it is explained. */
export const COLOURS: Readonly<Record<string, string>> = {
  people: 'var(--blue-line)',
  money: 'var(--ink)',
  new: 'var(--green-bar)',
  renewals: 'var(--green-soft)',
  refunds: 'var(--red-bar)',
};

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
          fill={COLOURS[part]}
          {...(isPale && { fillOpacity: 0.35, stroke: COLOURS[part], strokeDasharray: '3 2' })}
          rx={layout.bar > 6 ? 1.5 : 0}
          {...place}
        />
      ))}
      {toNoteMarks(notes, layout).map((mark) => (
        <Note key={mark.x} mark={mark} layout={layout} />
      ))}
      <g color={COLOURS[isMoney ? 'money' : 'people']} stroke="currentcolor" strokeLinecap="round">
        <g strokeWidth={1.5} strokeDasharray="3 4" opacity={0.5}>
          <Line paths={picture.before} />
        </g>
        <g strokeWidth={2.25}>
          <Line paths={picture.line} dots="1 5" />
        </g>
      </g>
    </>
  );
}

function Axes({ picture: { grid, layout, ticks } }: Pick<PlotProps, 'picture'>) {
  return (
    <g fill="var(--faint)">
      {grid.map(({ y, left, right, isZero }) => (
        <g key={y}>
          <line
            {...{ x1: layout.left, x2: layout.right, y1: y, y2: y, shapeRendering: 'crispEdges' }}
            stroke={isZero ? 'color-mix(in srgb, var(--faint) 60%, var(--line))' : 'var(--line)'}
          />
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

type LineProps = { readonly paths: LinePaths; readonly dots?: string };

function Line({ paths, dots }: LineProps) {
  return (
    <>
      <path d={paths.solid} fill="none" strokeLinejoin="round" />
      <path
        {...{ d: paths.dotted, fill: 'none', strokeLinejoin: 'round' }}
        {...(dots && { strokeDasharray: dots, opacity: 0.8 })}
      />
      {paths.lone.map(({ x, y }) => (
        <circle key={x} cx={x} cy={y} r="3" fill="currentcolor" stroke="none" />
      ))}
    </>
  );
}

/** A small circle on a dotted line, with its text if there is room. */
function Note(props: { readonly mark: NoteMark; readonly layout: Layout }) {
  const { mark, layout } = props;
  const { x, isLate, text } = mark;
  return (
    <g stroke="var(--faint)">
      <line x1={x} x2={x} y1="12" y2={layout.bottom} strokeDasharray="2 3" />
      <circle cx={x} cy="8" r="4" fill="var(--card)" />
      <text
        {...{ x: x + (isLate ? -10 : 10), y: 12, textAnchor: isLate ? 'end' : 'start' }}
        {...{ fill: 'var(--soft)', stroke: 'none' }}
      >
        {text}
      </text>
    </g>
  );
}
