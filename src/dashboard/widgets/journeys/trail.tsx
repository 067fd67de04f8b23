import { Link } from 'wouter';
import type { View } from '../../address/address.ts';
import { Inline, Words, wordsClass } from '../../ui/layout.tsx';
import { Arrow } from '../../ui/menu/arrow.tsx';
import { StepPicker } from '../funnel/step-picker.tsx';
import { nameStep } from '../funnel/steps.ts';
import type { Journey } from './journey.ts';
import styles from './trail.module.css';

/** The name of the start when any start counts. */
export const START_OF_VISIT = 'Start of the visit';

type Props = {
  readonly view: View;
  readonly journey: Journey;
  readonly hrefOf: (changed: Partial<Journey>) => string;
  readonly onChange: (changed: Partial<Journey>) => void;
};

/** The steps followed so far; each links back to that point. */
export function Trail({ view, journey, hrefOf, onChange }: Props) {
  const { from, after } = journey;
  const begin = from === undefined ? START_OF_VISIT : nameStep(from);
  return (
    <Inline as="nav" gap="8px 16px" className={styles.trail} aria-label="Followed steps">
      <StepPicker
        view={view}
        label={
          <>
            Start elsewhere <Arrow />
          </>
        }
        onPick={(picked) => onChange({ from: picked, after: [] })}
      />
      <Inline as="ol" className={styles.steps}>
        <li>
          <Link to={hrefOf({ after: [] })} aria-current={after.length === 0 ? 'step' : undefined}>
            {begin}
          </Link>
        </li>
        {after.map((step, at) => (
          // The same step may occur twice.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above.
          <li key={at}>
            <Words look="soft" aria-hidden="true">
              ›
            </Words>
            <Link
              to={hrefOf({ after: after.slice(0, at + 1) })}
              aria-current={at === after.length - 1 ? 'step' : undefined}
            >
              {nameStep(step)}
            </Link>
          </li>
        ))}
      </Inline>
      {from !== undefined && (
        <Link to={hrefOf({ from: undefined, after: [] })} className={wordsClass('soft', 'back')}>
          Start over
        </Link>
      )}
    </Inline>
  );
}
