import type { Money } from '#contract/query-fields.ts';
import { changeOf } from '../../format/change.ts';
import type { ShownMetric } from '../../format/metrics.ts';
import { toNumber } from '../../format/numbers.ts';
import { Words } from '../../ui/layout.tsx';
import styles from './change-mark.module.css';

type Value = number | Money | null;

type ChangeMarkProps = {
  readonly metric: ShownMetric;
  readonly value: Value;
  /** In the compared period; undefined without one. */
  readonly before: Value | undefined;
};

const LOOKS = { good: 'good', bad: 'bad', same: 'soft' } as const;

/** How a row's figure changed, below it: `▲ 12.4%`, or `new` after nothing. */
export function ChangeMark({ metric, value, before }: ChangeMarkProps) {
  if (before === undefined || before === null || value === null) return null;
  const [now, then] = [toNumber(value), toNumber(before)];
  const change = changeOf(metric, now, then);
  return (
    <Words as="small" className={styles.mark} look={change ? LOOKS[change.mood] : 'soft'}>
      {change?.text ?? 'new'}
    </Words>
  );
}
