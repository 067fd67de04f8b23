import type { FunnelStepFigures as Figures, FunnelAnswer } from '#contract/reports/funnel.ts';
import { useView } from '../../address/address.ts';
import { isOld } from '../../api/query.ts';
import { formatCount, formatDuration, formatRate, formatWhole } from '../../format/numbers.ts';
import { pillClass } from '../../ui/button.tsx';
import { Inline, LengthBar, Stack, Words, wordsClass } from '../../ui/layout.tsx';
import { Bones, ErrorNote } from '../../ui/loaded.tsx';
import { FigureText } from '../figures/figures.tsx';
import styles from './funnel.module.css';
import { StepPicker } from './step-picker.tsx';
import {
  type FunnelStep,
  isAbout,
  moveStep,
  nameStep,
  STEPS_MAX,
  useFunnel,
  useFunnelAnswer,
  writeStep,
} from './steps.ts';

/** The steps below each other, shown and edited in the same place. */
export function FunnelSteps() {
  const [funnel, onChange] = useFunnel();
  const [view] = useView();
  const { steps } = funnel;
  const answer = useFunnelAnswer(view, funnel);
  const { data, error } = answer;
  const isKnown = steps.length >= 2 && data !== undefined && isAbout(steps, data.query.steps);
  const result = isKnown ? data.results[0] : undefined;
  const change = (changed: readonly FunnelStep[]) => onChange({ steps: changed });
  return (
    <>
      <ol data-old={isOld(answer) && isKnown}>
        {steps.map((step, at) => (
          <StepRow
            key={keyOf(steps, at, step)}
            {...{ steps, at }}
            onChange={change}
            figures={result?.steps[at]}
            before={at === 0 ? undefined : result?.steps[at - 1]}
            began={result?.steps[0]?.reached ?? 0}
            isWaiting={steps.length >= 2 && result === undefined && error === null}
          />
        ))}
      </ol>
      {steps.length < STEPS_MAX && (
        <Inline gap="8px 16px" style={{ paddingTop: 16 }}>
          <StepPicker
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
      <Inline as="p" gap="4px 16px" isSpread style={{ marginTop: 16 }} role="status">
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

type RowProps = {
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
function StepRow(props: RowProps) {
  const { steps, at, onChange, figures, before, began, isWaiting } = props;
  const step = steps[at] as FunnelStep;
  return (
    <li className={styles.step}>
      <Words look="soft" style={{ paddingTop: 6 }} aria-hidden="true">
        {at + 1}
      </Words>
      <Stack as="span" gap={0} style={{ justifyItems: 'start' }}>
        <StepPicker
          className={wordsClass('named', 'bold')}
          label={nameStep(step)}
          name={`${nameStep(step)}: change step ${at + 1}`}
          onPick={(picked) => onChange(steps.with(at, picked))}
        />
        <Words look={['soft', 'tiny']}>{TYPES[step.type]}</Words>
      </Stack>
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
            <Words as="b" look="bold" title={formatWhole(figures.reached)}>
              {formatCount(figures.reached)}
            </Words>
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

const SQUARE = { borderRadius: 4 };

function Picture({
  figures,
  before,
  began,
}: Pick<RowProps, 'before' | 'began'> & { figures: Figures }) {
  const came = before?.reached ?? began;
  return (
    <>
      <LengthBar
        length={began && came / began}
        colour="var(--blue-pale)"
        height={32}
        style={SQUARE}
      >
        <LengthBar
          {...{ length: came && figures.reached / came, colour: 'var(--blue-line)', height: 32 }}
          style={{ ...SQUARE, minWidth: 2 }}
        />
      </LengthBar>
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
  const change = (label: string, text: string, changed: readonly FunnelStep[]) => (
    <button
      type="button"
      className={pillClass(styles.tool)}
      aria-label={label}
      aria-disabled={changed === steps}
      onClick={() => onChange(changed)}
    >
      {text}
    </button>
  );
  return (
    <span className={styles.tools}>
      {change(`Move ${name} up`, '↑', moveStep(steps, at, at - 1))}
      {change(`Move ${name} down`, '↓', moveStep(steps, at, at + 1))}
      {change(`Remove ${name}`, '×', steps.toSpliced(at, 1))}
    </span>
  );
}
