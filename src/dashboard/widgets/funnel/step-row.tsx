import type { FunnelStepFigures as Figures } from '#contract/reports/funnel.ts';
import type { View } from '../../address/address.ts';
import { formatCount, formatDuration, formatWhole } from '../../format/numbers.ts';
import { Inline, Words, wordsClass } from '../../ui/layout.tsx';
import { Bones } from '../../ui/note.tsx';
import styles from './funnel.module.css';
import { formatRate } from './rate.ts';
import { StepPicker } from './step-picker.tsx';
import { type FunnelStep, moveStep, nameStep } from './steps.ts';

type RowProps = {
  readonly view: View;
  readonly steps: readonly FunnelStep[];
  readonly at: number;
  readonly onChange: (steps: readonly FunnelStep[]) => void;
  /** The step's figures once known, and those of the previous step. */
  readonly figures: Figures | undefined;
  readonly before: Figures | undefined;
  readonly began: number;
  /** Whether an answer is pending. */
  readonly isWaiting: boolean;
};

const TYPES = { page: 'Page', goal: 'Goal', payment: 'Payment' } as const;

/** One step: what it is, how many reached it, how long that took, and how to change it. */
export function StepRow(props: RowProps) {
  const { view, steps, at, onChange, figures, before, began, isWaiting } = props;
  const step = steps[at] as FunnelStep;
  return (
    <li className={styles.step}>
      <span className={styles.number} aria-hidden="true">
        {at + 1}
      </span>
      <span className={styles.what}>
        <StepPicker
          view={view}
          className={`${wordsClass('cut', 'bold')} ${styles.name}`}
          label={nameStep(step)}
          name={`${nameStep(step)}: change step ${at + 1}`}
          onPick={(picked) => onChange(steps.with(at, picked))}
        />
        <Words look={['soft', 'tiny']}>{TYPES[step.type]}</Words>
      </span>
      <span className={styles.picture}>
        {figures ? (
          <Picture {...{ figures, before, began }} />
        ) : (
          isWaiting && <Bones height={32} width={`${100 - at * 12}%`} />
        )}
      </span>
      <span className={styles.figures}>
        {figures && (
          <>
            <b title={formatWhole(figures.reached)}>{formatCount(figures.reached)}</b>
            <Words look={['soft', 'small']} title="Share of those who started">
              {formatRate(figures.conversion_rate)}
            </Words>
          </>
        )}
      </span>
      <Tools {...{ steps, at, onChange }} />
    </li>
  );
}

function Picture({
  figures,
  before,
  began,
}: Pick<RowProps, 'before' | 'began'> & { figures: Figures }) {
  const share = (count: number) => `${began === 0 ? 0 : (count / began) * 100}%`;
  return (
    <>
      <span className={styles.track} aria-hidden="true">
        <i className={styles.lost} style={{ width: share(before?.reached ?? began) }} />
        <i className={styles.bar} style={{ width: share(figures.reached) }} />
      </span>
      {before && before.reached > 0 && (
        <Inline as="span" gap="4px 16px" isSpread className={wordsClass('soft', 'small')}>
          <span>
            {formatRate(figures.step_conversion_rate)} came on
            {figures.median_seconds !== null &&
              `, half of them within ${unbroken(formatDuration(figures.median_seconds))}`}
          </span>
          <Words look={[(before.dropped_off ?? 0) > 0 && 'bad']}>
            {formatCount(before.dropped_off)} left ({formatRate(before.drop_off_rate)})
          </Words>
        </Inline>
      )}
    </>
  );
}

/** Keeps a text on one line. */
function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

function Tools({ steps, at, onChange }: Pick<RowProps, 'steps' | 'at' | 'onChange'>) {
  const name = nameStep(steps[at] as FunnelStep);
  const isLast = at === steps.length - 1;
  return (
    <span className={styles.tools}>
      <button
        type="button"
        aria-label={`Move ${name} up`}
        aria-disabled={at === 0}
        onClick={() => onChange(moveStep(steps, at, at - 1))}
      >
        ↑
      </button>
      <button
        type="button"
        aria-label={`Move ${name} down`}
        aria-disabled={isLast}
        onClick={() => onChange(moveStep(steps, at, at + 1))}
      >
        ↓
      </button>
      <button
        type="button"
        aria-label={`Remove ${name}`}
        onClick={() => onChange(steps.toSpliced(at, 1))}
      >
        ×
      </button>
    </span>
  );
}
