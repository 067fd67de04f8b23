import { SPARK, toSparkPaths } from './spark-paths.ts';

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
      // Half a stroke lies beyond the first and last values.
      style={{ display: 'block', width: '100%', height: SPARK.height, overflow: 'visible' }}
      fill="none"
      strokeWidth={1.5}
      strokeLinejoin="round"
      viewBox={`0 0 ${SPARK.width} ${SPARK.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {lines.map(({ name, values }, index) => {
        const { solid, dotted } = toSparkPaths(values, isLastPartial);
        return (
          <g key={name} stroke={index === 0 ? 'var(--blue-line)' : 'var(--green-bar)'}>
            <path d={solid} vectorEffect="non-scaling-stroke" />
            <path d={dotted} strokeDasharray="2 3" vectorEffect="non-scaling-stroke" />
          </g>
        );
      })}
    </svg>
  );
}
