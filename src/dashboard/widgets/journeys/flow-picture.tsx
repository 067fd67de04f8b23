import { useRef, useState } from 'react';
import { Link } from 'wouter';
import type { JourneysAnswer } from '#contract/reports/journeys.ts';
import type { Step } from '#contract/step.ts';
import { formatCount, formatPercent, toNumber } from '../../format/numbers.ts';
import { useScrollBox, useWidth } from '../../ui/box-size.ts';
import { Hidden, Words } from '../../ui/layout.tsx';
import { FigureText } from '../figures/figures.tsx';
import { type FunnelStep, nameStep } from '../funnel/steps.ts';
import { type FlowPlace, PLACE_WIDTH, toFlow } from './flow.ts';
import styles from './flow-picture.module.css';

const COLUMNS = 4;
const WIDTH_MIN = 680;

const STREAMS = {
  start: 'var(--blue-bar)',
  step: 'var(--blue-bar)',
  left: 'color-mix(in srgb, var(--red-bar) 40%, transparent)',
  other: 'var(--line)',
} as const;

const RANKS = { start: 'bold', step: 'bold', left: 'soft', other: 'soft' } as const;

const BARS = {
  start: 'var(--blue-line)',
  step: 'var(--blue-line)',
  left: 'var(--red-bar)',
  other: 'var(--faint)',
} as const;

type Props = {
  readonly paths: JourneysAnswer['results'];
  /** The label of the place where all paths start. */
  readonly start: string;
  /** A link that follows the visitors who took these steps; undefined when impossible. */
  readonly toHref: (steps: readonly Step[]) => string | undefined;
};

/** The paths people took, as streams from left to right; a click follows a path. */
export function FlowPicture({ paths, start, toHref }: Props) {
  const box = useRef<HTMLElement>(null);
  const { attributes } = useScrollBox(box, 'Paths');
  const room = useWidth(box);
  const width = Math.max(room, WIDTH_MIN);
  const [pointed, point] = useState<FlowPlace>();
  const { places, streams, height } = toFlow(paths, width, COLUMNS);
  const isOnWay = (id: string) => id === pointed?.id || pointed?.before.includes(id) === true;
  return (
    <section
      ref={box}
      {...attributes}
      aria-label="Paths"
      style={{ marginTop: 16, paddingBottom: 24 }}
    >
      <div style={{ position: 'relative', width, height }}>
        <svg {...{ width, height }} style={{ position: 'absolute' }} aria-hidden="true">
          {streams.map(({ to, kind, shape, width: stroke }) => (
            <path
              key={to}
              d={shape}
              strokeWidth={stroke}
              className={styles.stream}
              stroke={STREAMS[kind]}
              strokeOpacity={isOnWay(to) ? 0.85 : 0.45}
            />
          ))}
        </svg>
        <ol>
          {places.map((place) => (
            <li
              key={place.id}
              style={{
                ...{ position: 'absolute', left: place.x, top: place.y },
                ...{ display: 'flex', gap: 8, width: width / COLUMNS - 12 },
              }}
              onPointerEnter={() => point(place)}
              onPointerLeave={() => point(undefined)}
              onFocus={() => point(place)}
              onBlur={() => point(undefined)}
            >
              <i
                style={{
                  ...{ flex: 'none', width: PLACE_WIDTH, height: Math.max(2, place.height) },
                  ...{ borderRadius: 2, background: colourOf(place) },
                }}
              />
              <PlaceText place={place} start={start} toHref={toHref} />
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

type TextProps = Pick<Props, 'start' | 'toHref'> & { readonly place: FlowPlace };

/** A place's name and figures; screen readers also get what its column shows. */
function PlaceText({ place, start, toHref }: TextProps) {
  const { kind, people, share, revenue, path } = place;
  const before = kind === 'step' ? path.slice(0, -1) : path;
  const name = namePlace(place, start);
  const words = (
    <>
      <Words look={['cut', RANKS[kind]]} className={styles.name} title={name}>
        {name}
      </Words>
      <Words look="tiny" style={{ whiteSpace: 'nowrap' }}>
        {kind !== 'start' && <Hidden> after {nameLast(before) || start}: </Hidden>}
        {formatCount(people)}
        <Hidden> people</Hidden>
        {kind !== 'start' && <span> · {formatPercent(share)}</span>}
        {revenue !== undefined && toNumber(revenue) > 0 && (
          <Words look={['good', 'bold']}>
            {' · '}
            <Hidden>paid </Hidden>
            <FigureText value={revenue} />
          </Words>
        )}
      </Words>
    </>
  );
  const href = kind === 'step' ? toHref(path) : undefined;
  return href === undefined ? (
    <span className={styles.text}>{words}</span>
  ) : (
    <Link to={href} className={styles.text}>
      {words}
    </Link>
  );
}

const NAMES = { left: 'Left', other: 'Other paths' } as const;

function namePlace({ kind, path }: FlowPlace, start: string): string {
  if (kind === 'start') return start;
  return kind === 'step' ? nameLast(path) : NAMES[kind];
}

function nameLast(path: FlowPlace['path']): string {
  const step = path.at(-1);
  return step === undefined ? '' : nameStep({ kind: 'any', ...step } as FunnelStep);
}

function colourOf({ kind, path }: FlowPlace): string {
  return kind === 'step' && path.at(-1)?.type === 'payment' ? 'var(--green-bar)' : BARS[kind];
}
