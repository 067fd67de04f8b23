import { Link } from 'wouter';
import type { JourneysAnswer } from '#contract/reports/journeys.ts';
import { useView } from '../address/address.ts';
import { Arrow } from '../ui/button.tsx';
import { Card, Inline, Soft, Words, wordsClass } from '../ui/layout.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Bar } from '../widgets/bar/bar.tsx';
import { StepPicker, WindowMenu } from '../widgets/funnel/step-picker.tsx';
import { type FunnelStep, nameStep } from '../widgets/funnel/steps.ts';
import { FlowPicture } from '../widgets/journeys/flow-picture.tsx';
import {
  type Journey,
  useJourney,
  useJourneysAnswer,
  walkFurther,
  withoutPayments,
} from '../widgets/journeys/journey.ts';

/** The paths visitors take, explored by clicking; the URL holds all of it. */
export function JourneysPage() {
  const [view] = useView();
  const { journey, change, hrefOf } = useJourney();
  const answer = useJourneysAnswer(view, journey);
  const isWithoutPayments = withoutPayments(view).filters.length < view.filters.length;
  return (
    <>
      <Bar attributes={false} />
      <Card isPadded>
        <Inline isSpread>
          <h1>Journeys</h1>
          <WindowMenu within={journey.within} onChoose={(within) => change({ within })} />
        </Inline>
        <Soft>
          The paths that people take, three steps at a time, and how much they pay. Click a step to
          follow the people who took it.{isWithoutPayments && ' Payment filters do not apply here.'}
        </Soft>
        <Trail {...{ journey, hrefOf }} onChange={change} />
        <Loaded
          of={answer}
          height={320}
          isOld={answer.isPlaceholderData}
          isEmpty={({ results }) => results[0]?.reached === 0}
          empty="Nobody took this path in this period. Try a longer period, fewer filters or another start."
        >
          {(found) => <Shown answer={found} hrefOf={hrefOf} />}
        </Loaded>
      </Card>
    </>
  );
}

type ShownProps = {
  readonly answer: JourneysAnswer;
  readonly hrefOf: (changed: Partial<Journey>) => string;
};

/** The picture starts where the answer does, which may lag behind the URL. */
function Shown({ answer: { results, query }, hrefOf }: ShownProps) {
  const here = query.after.at(-1) ?? query.from;
  const isOfVisit = here === undefined || here.type === 'visit';
  return (
    <FlowPicture
      paths={results}
      start={isOfVisit ? START_OF_VISIT : nameStep({ kind: 'any', ...here } as FunnelStep)}
      toHref={(steps) => {
        const after = walkFurther(query.after, steps);
        return after && hrefOf({ after });
      }}
    />
  );
}

/** The name of the start when any start counts. */
const START_OF_VISIT = 'Start of the visit';

type Props = {
  readonly journey: Journey;
  readonly hrefOf: (changed: Partial<Journey>) => string;
  readonly onChange: (changed: Partial<Journey>) => void;
};

/** The steps followed so far; each links back to that point. */
function Trail({ journey, hrefOf, onChange }: Props) {
  const { from, after } = journey;
  const begin = from === undefined ? START_OF_VISIT : nameStep(from);
  return (
    <Inline as="nav" gap="8px 16px" style={{ marginTop: 12 }} aria-label="Followed steps">
      <StepPicker
        label={
          <>
            Start elsewhere <Arrow />
          </>
        }
        onPick={(picked) => onChange({ from: picked, after: [] })}
      />
      <Inline as="ol" style={{ minWidth: 0 }}>
        {[begin, ...after.map(nameStep)].map((name, at) => (
          <TrailStep
            // biome-ignore lint/suspicious/noArrayIndexKey: the same step may occur twice.
            key={at}
            {...{ name, to: hrefOf({ after: after.slice(0, at) }) }}
            {...{ isLater: at > 0, isLast: at === after.length }}
          />
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

type TrailStepProps = {
  readonly to: string;
  readonly name: string;
  readonly isLast: boolean;
  readonly isLater: boolean;
};

function TrailStep({ to, name, isLast, isLater }: TrailStepProps) {
  const look = isLast ? (['cut', 'ink', 'bold'] as const) : (['cut', 'people'] as const);
  return (
    <Inline as="li" style={{ flexWrap: 'nowrap', minWidth: 0 }}>
      {isLater && (
        <Words look="soft" aria-hidden="true">
          ›
        </Words>
      )}
      <Link to={to} className={wordsClass(...look)} aria-current={isLast ? 'step' : undefined}>
        {name}
      </Link>
    </Inline>
  );
}
