import type { JourneysAnswer } from '#contract/reports/journeys.ts';
import { useView } from '../address/address.ts';
import { Card } from '../ui/card.tsx';
import { Inline, Soft } from '../ui/layout.tsx';
import { EmptyNote, Unloaded } from '../ui/note.tsx';
import { Bar } from '../widgets/bar/bar.tsx';
import { type FunnelStep, nameStep } from '../widgets/funnel/steps.ts';
import { WindowMenu } from '../widgets/funnel/window-menu.tsx';
import { FlowPicture } from '../widgets/journeys/flow-picture.tsx';
import { type Journey, walkFurther } from '../widgets/journeys/journey.ts';
import { START_OF_VISIT, Trail } from '../widgets/journeys/trail.tsx';
import { useJourney, useJourneysAnswer, withoutPayments } from '../widgets/journeys/use-journey.ts';

/** The paths visitors take, explored by clicking; the URL holds all of it. */
export function JourneysPage() {
  const [view] = useView();
  const { journey, change, hrefOf } = useJourney();
  const { data, error, refetch, isPlaceholderData } = useJourneysAnswer(view, journey);
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
        <Trail {...{ view, journey, hrefOf }} onChange={change} />
        {data === undefined ? (
          <Unloaded {...{ error, refetch }} height={320} />
        ) : (
          <div data-old={isPlaceholderData}>
            <Shown answer={data} hrefOf={hrefOf} />
          </div>
        )}
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
  if (results[0]?.reached === 0) {
    return (
      <EmptyNote>
        Nobody took this path in this period. Try a longer period, fewer filters or another start.
      </EmptyNote>
    );
  }
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
