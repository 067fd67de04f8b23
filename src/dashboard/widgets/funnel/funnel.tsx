import type { FunnelAnswer } from '#contract/reports/funnel.ts';
import type { View } from '../../address/address.ts';
import { isOld } from '../../api/query.ts';
import { formatCount } from '../../format/numbers.ts';
import { Inline, Words } from '../../ui/layout.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { FigureText } from '../figures/figure.tsx';
import styles from './funnel.module.css';
import { formatRate } from './rate.ts';
import { StepPicker } from './step-picker.tsx';
import { StepRow } from './step-row.tsx';
import { type FunnelStep, type FunnelView, isAbout, STEPS_MAX, writeStep } from './steps.ts';
import { type ChangeFunnel, useFunnelAnswer } from './use-funnel.ts';

type Props = { readonly view: View; readonly funnel: FunnelView; readonly onChange: ChangeFunnel };

/** The steps below each other, shown and edited in the same place. */
export function FunnelSteps({ view, funnel, onChange }: Props) {
  const { steps } = funnel;
  const answer = useFunnelAnswer(view, funnel);
  const { data, error } = answer;
  const isKnown = steps.length >= 2 && data !== undefined && isAbout(steps, data.query.steps);
  const result = isKnown ? data.results[0] : undefined;
  const change = (changed: readonly FunnelStep[]) => onChange({ steps: changed });
  return (
    <>
      <ol className={styles.steps} data-old={isOld(answer) && isKnown}>
        {steps.map((step, at) => (
          <StepRow
            key={keyOf(steps, at, step)}
            {...{ view, steps, at }}
            onChange={change}
            figures={result?.steps[at]}
            before={at === 0 ? undefined : result?.steps[at - 1]}
            began={result?.steps[0]?.reached ?? 0}
            isWaiting={steps.length >= 2 && result === undefined && error === null}
          />
        ))}
      </ol>
      {steps.length < STEPS_MAX && (
        <Inline gap="8px 16px" className={styles.add}>
          <StepPicker
            view={view}
            label={steps.length === 0 ? 'Choose the first step' : 'Add a step'}
            onPick={(picked) => change([...steps, picked])}
          />
          {steps.length === 1 && (
            <Words look="soft">Add one more step to complete the funnel.</Words>
          )}
        </Inline>
      )}
      {error !== null && steps.length >= 2 && (
        <ErrorNote error={error} onRetry={() => void answer.refetch()} />
      )}
      <Inline as="p" gap="4px 16px" isSpread className={styles.sum} role="status">
        {result && <Sum result={result} />}
      </Inline>
    </>
  );
}

function Sum({ result }: { readonly result: FunnelAnswer['results'][number] }) {
  const began = result.steps[0]?.reached ?? 0;
  const last = result.steps.at(-1);
  if (began === 0) {
    return (
      <>Nobody started in this period. Try a longer period, fewer filters or another first step.</>
    );
  }
  return (
    <>
      <span>
        <b>{formatRate(last?.conversion_rate ?? null)}</b> went all the way:{' '}
        {formatCount(last?.reached ?? 0)} of {formatCount(began)} people
      </span>
      <span>
        They paid{' '}
        <Words as="b" look="good">
          <FigureText value={result.revenue} />
        </Words>
      </span>
    </>
  );
}

/** A key that moves with its step, so the step keeps focus; a number distinguishes equal steps. */
function keyOf(steps: readonly FunnelStep[], at: number, step: FunnelStep): string {
  const text = writeStep(step);
  const before = steps.slice(0, at).filter((each) => writeStep(each) === text).length;
  return `${text} ${before}`;
}
