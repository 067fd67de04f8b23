import type { Money } from '#contract/query-fields.ts';
import { formatExact, formatMetric, type ShownMetric } from '../../format/metrics.ts';
import { Hidden } from '../../ui/hidden.tsx';

type FigureProps = {
  readonly metric?: ShownMetric | undefined;
  readonly value: number | Money | null;
  /** The room for money, in digits. */
  readonly room?: number | undefined;
};

/** A figure in a form that fits; in full on hover and for screen readers. */
export function FigureText({ metric = 'revenue', value, room }: FigureProps) {
  const shown = formatMetric(metric, value, room);
  const exact = formatExact(metric, value);
  if (shown === exact) return shown;
  return (
    <span title={exact}>
      <span aria-hidden="true">{shown}</span>
      <Hidden>{exact}</Hidden>
    </span>
  );
}
