import { searchOf } from '#contract/reports/address-text.ts';
import type { JourneysAnswer } from '#contract/reports/journeys.ts';
import type { Step } from '#contract/step.ts';
import { useParams, usePart, type View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { useReport } from '../../api/query.ts';
import { type FunnelStep, parseFunnelStep, toWithin, writeStep } from '../funnel/steps.ts';

/** How many steps can be taken. */
const WALKED_MAX = 8;

/** Which paths are shown, as stored in the page's URL. */
export type Journey = {
  /** The starting step; undefined for any start. */
  readonly from: FunnelStep | undefined;
  /** The steps followed from there, one action each. */
  readonly after: readonly FunnelStep[];
  /** `visit`, or a duration such as `7d`. */
  readonly within: string;
};

/** The journey of a URL without parameters. */
export const NO_JOURNEY: Journey = { from: undefined, after: [], within: 'visit' };

/** Parses a URL's journey: `start=page,/pricing&after=goal,signup&within=7d`; skips what is invalid. */
export function parseJourney(params: URLSearchParams): Journey {
  const within = params.get('within') ?? '';
  return {
    from: parseFunnelStep(params.get('start') ?? ''),
    after: params
      .getAll('after')
      .flatMap((text) => parseFunnelStep(text) ?? [])
      .filter(isOneAction)
      .slice(0, WALKED_MAX),
    within: toWithin(within) === undefined ? NO_JOURNEY.within : within,
  };
}

/** The shortest equivalent parameters, plus the unrelated ones. */
export function writeJourney(
  { from, after, within }: Journey,
  others: URLSearchParams,
): URLSearchParams {
  const params = new URLSearchParams(others);
  for (const name of ['start', 'after', 'within']) params.delete(name);
  if (from !== undefined) params.set('start', writeStep(from));
  for (const step of after) params.append('after', writeStep(step));
  if (within !== NO_JOURNEY.within) params.set('within', within);
  return params;
}

/** The steps followed after going on along a path; undefined when no URL can hold them. */
export function walkFurther(
  walked: readonly Step[],
  further: readonly Step[],
): readonly FunnelStep[] | undefined {
  const steps = [...walked, ...further].map((step) =>
    parseFunnelStep(writeStep({ kind: 'any', ...step } as FunnelStep)),
  );
  const known = steps.filter((step) => step !== undefined);
  return known.length < steps.length || known.length > WALKED_MAX ? undefined : known;
}

/** Any payment may start a journey; later ones are each new, a renewal or a trial. */
function isOneAction(step: FunnelStep): boolean {
  return step.type !== 'payment' || step.kind !== 'any';
}

/** How many steps are shown at once, and how many branches at each. */
const DEPTH = 3;
const BREADTH = 5;

/** The journey in the page's URL, how to change it, and how to link to another. */
export function useJourney() {
  const [params] = useParams();
  const [journey, change] = usePart(parseJourney, writeJourney);
  const { domain } = useSite();
  const hrefOf = (changed: Partial<Journey>) =>
    `/${domain}/journeys${searchOf(writeJourney({ ...journey, ...changed }, params))}`;
  return { journey, change, hrefOf };
}

/** Drops payment filters, as payments have no paths. */
export function withoutPayments(view: View): View {
  const filters = view.filters.filter(({ dimension }) => !dimension.startsWith('payment:'));
  return { ...view, filters };
}

/** The paths visitors took. */
export function useJourneysAnswer(view: View, { from, after, within }: Journey) {
  return useReport<JourneysAnswer>('journeys', withoutPayments(view), {
    ...{ from: from ?? { type: 'visit' }, after, within: toWithin(within) },
    ...{ depth: DEPTH, breadth: BREADTH },
  });
}
