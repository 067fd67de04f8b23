import { formOf, type ShownMetric } from '../../format/metrics.ts';
import { Soft, Words, wordsClass } from '../../ui/layout.tsx';
import styles from './chart.module.css';
import type { BucketText } from './geometry/buckets.ts';
import { besideCursor, type Layout } from './geometry/layout.ts';
import { COLOURS } from './plot.tsx';

type LegendProps = {
  readonly metric: ShownMetric;
  readonly isCompared: boolean;
  /** Whether bars are shown; undefined if there are none. */
  readonly hasBars: boolean | undefined;
  readonly onToggleBars: () => void;
};

const PARTS = { new: 'New revenue', renewals: 'Renewals', refunds: 'Refunds' } as const;

/** Explains the line and the bars. Clicking the bars' part toggles them. */
export function Legend({ metric, isCompared, hasBars, onToggleBars }: LegendProps) {
  const colour = colourOf(metric);
  return (
    <div className={styles.legend}>
      <span>
        <i style={{ width: 14, borderTop: `2px solid ${colour}` }} />
        {formOf(metric).label}
      </span>
      {isCompared && (
        <span>
          <i style={{ width: 14, border: `1px dashed ${colour}`, opacity: 0.55 }} />
          Previous
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
