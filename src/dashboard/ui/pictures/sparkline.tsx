import { line } from 'd3-shape';
import { classes } from '../classes.ts';
import styles from './sparkline.module.css';

type SparklineProps = {
  /** Up to two series, each scaled to its own height. */
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[];
};

const WIDTH = 240;
const HEIGHT = 56;

/** Small lines without axes, next to the figures they belong to. */
export function Sparkline({ lines }: SparklineProps) {
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {lines.map(({ name, values }, index) => (
        <path
          key={name}
          d={toPath(values)}
          className={classes(index === 0 ? styles.first : styles.second)}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}

function toPath(values: readonly number[]): string {
  const highest = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const draw = line<number>(
    (_, index) => index * step,
    (value) => HEIGHT - 2 - (Math.max(0, value) / highest) * (HEIGHT - 4),
  ).digits(1);
  return draw([...values]) ?? '';
}
