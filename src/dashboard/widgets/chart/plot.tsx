import type { View } from '../../address/address.ts';
import { nameComparison } from '../../address/periods.ts';
import { formOf, type ShownMetric } from '../../format/metrics.ts';
import { Soft, Words, wordsClass } from '../../ui/layout.tsx';
import styles from './chart.module.css';
import type { BucketText } from './geometry/buckets.ts';
import {
  besideCursor,
  type Layout,
  type LinePaths,
  middleOf,
  type NoteMark,
  type Notes,
  toNoteMarks,
} from './geometry/layout.ts';
import type { Picture } from './geometry/picture.ts';

type LegendProps = {
  readonly metric: ShownMetric;
  readonly compared: View['compare'];
  /** Whether bars are shown; undefined if there are none. */
  readonly hasBars: boolean | undefined;
  readonly onToggleBars: () => void;
};

const PARTS = { new: 'New revenue', renewals: 'Renewals', refunds: 'Refunds' } as const;

/** Explains the line and the bars. Clicking the bars' part toggles them. */
export function Legend({ metric, compared, hasBars, onToggleBars }: LegendProps) {
  const colour = colourOf(metric);
  return (
    <div className={styles.legend}>
      <span>
        <i style={{ width: 14, borderTop: `2px solid ${colour}` }} />
        {formOf(metric).label}
      </span>
      {compared !== 'off' && (
        <span>
          <i style={{ width: 14, border: `1px dashed ${colour}`, opacity: 0.55 }} />
          {nameComparison(compared)}
        </span>
      )}
      {hasBars !== undefined && (
        <button
          type="button"
          className={styles.parts}
          aria-pressed={hasBars}
          title={`Payments before refunds; refunds on the day they were made. Click to ${hasBars ? 'hide' : 'show'} the bars.`}
          onClick={onToggleBars}
        >
          {Object.entries(PARTS).map(([part, label]) => (
            <span key={part}>
              <Swatch colour={COLOURS[part]} />
              {label}
            </span>
          ))}
        </button>
      )}
    </div>
  );
}

type TooltipProps = {
  readonly text: BucketText;
  readonly layout: Layout;
  readonly metric: ShownMetric;
  readonly x: number;
  readonly note: string;
};

/** Narrower plots have room for what is drawn, or for its values of this period alone: no tooltip covers a quarter. */
const [ROOM_FOR_ALL, ROOM_FOR_BEFORE] = [1_000, 400];

/** All about one bucket. Screen readers get it from the live region instead. */
export function Tooltip({ text, layout, metric, x, note }: TooltipProps) {
  const room = layout.right - layout.left;
  const hasBefore = text.titleBefore !== '' && room > ROOM_FOR_BEFORE;
  const width = room > ROOM_FOR_BEFORE ? 272 : 160;
  const isShown = (key: string) => room > ROOM_FOR_ALL || key === metric || key in PARTS;
  return (
    <div
      className={styles.tooltip}
      style={{ width, left: besideCursor(layout, x, width) }}
      aria-hidden="true"
    >
      <p>
        <strong>{text.title}</strong>
        {text.note !== '' && room > ROOM_FOR_BEFORE && <Words look="soft"> {text.note}</Words>}
      </p>
      {hasBefore && <Soft>before: {text.titleBefore}</Soft>}
      {note !== '' && (
        <Words as="p" look="broken" style={{ marginTop: 4 }}>
          {note}
        </Words>
      )}
      <dl>
        {text.lines
          .filter(({ key }) => isShown(key))
          .map(({ key, label, value, before }) => (
            <div key={key} data-part={key} data-chosen={key === metric || undefined}>
              <dt className={wordsClass('cut')}>
                <Swatch colour={key === metric ? colourOf(metric) : key in PARTS && COLOURS[key]} />
                {label}
              </dt>
              <dd>{value}</dd>
              {hasBefore && (
                <Words as="dd" look="soft" style={{ minWidth: 56, fontWeight: 400 }}>
                  {before}
                </Words>
              )}
            </div>
          ))}
      </dl>
    </div>
  );
}

function colourOf(metric: ShownMetric): string | undefined {
  return COLOURS[formOf(metric).unit === 'money' ? 'money' : 'people'];
}

function Swatch({ colour }: { readonly colour: string | false | undefined }) {
  return colour && <i className={styles.swatch} style={{ background: colour }} />;
}

/** The colours of lines and bars, in the chart and where it is explained. */
const COLOURS: Readonly<Record<string, string>> = {
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
