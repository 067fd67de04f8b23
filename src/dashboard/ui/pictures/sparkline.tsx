import { SPARK, toSparkPaths } from './spark-paths.ts';
import styles from './sparkline.module.css';

type SparklineProps = {
  /** Up to two series, each scaled to its own height. */
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[];
  /** Whether the last values are still growing. */
  readonly isLastPartial: boolean;
};

/** Small lines without axes, next to the figures they belong to. */
export function Sparkline({ lines, isLastPartial }: SparklineProps) {
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${SPARK.width} ${SPARK.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {lines.map(({ name, values }, index) => {
        const { solid, dotted } = toSparkPaths(values, isLastPartial);
        return (
          <g key={name} className={index === 0 ? styles.first : styles.second}>
            <path d={solid} vectorEffect="non-scaling-stroke" />
            <path d={dotted} className={styles.dotted} vectorEffect="non-scaling-stroke" />
          </g>
        );
      })}
    </svg>
  );
}
