import type { Step } from '#contract/step.ts';
import { type FunnelStep, parseStep, toWithin, writeStep } from '../funnel/steps.ts';

/** How many steps can be walked. */
export const WALKED_MAX = 8;

/** Which paths are shown, as the address of the page has it. */
export type Journey = {
  /** What they begin with; undefined for whatever people do first. */
  readonly from: FunnelStep | undefined;
  /** The steps that were walked from there, each one action. */
  readonly after: readonly FunnelStep[];
  /** `visit`, or a length of time such as `7d`. */
  readonly within: string;
};

/** What an address without parameters means. */
export const NO_JOURNEY: Journey = { from: undefined, after: [], within: 'visit' };

/** The journey of an address: `from=page,/pricing&after=goal,signup&within=7d`; what is broken is left out. */
export function parseJourney(params: URLSearchParams): Journey {
  const within = params.get('within') ?? '';
  return {
    from: parseStep(params.get('from') ?? ''),
    after: params
      .getAll('after')
      .flatMap((text) => parseStep(text) ?? [])
      .filter(isOneAction)
      .slice(0, WALKED_MAX),
    within: toWithin(within) === undefined ? NO_JOURNEY.within : within,
  };
}

/** The shortest parameters that say the same, beside those that belong to others. */
export function writeJourney(
  { from, after, within }: Journey,
  others: URLSearchParams,
): URLSearchParams {
  const params = new URLSearchParams(others);
  for (const name of ['from', 'after', 'within']) params.delete(name);
  if (from !== undefined) params.set('from', writeStep(from));
  for (const step of after) params.append('after', writeStep(step));
  if (within !== NO_JOURNEY.within) params.set('within', within);
  return params;
}

/** The steps walked after going on by some of an answer; undefined when no address can hold them. */
export function walkOn(
  walked: readonly Step[],
  further: readonly Step[],
): readonly FunnelStep[] | undefined {
  const steps = [...walked, ...further].map((step) =>
    parseStep(writeStep({ kind: 'any', ...step } as FunnelStep)),
  );
  const known = steps.filter((step) => step !== undefined);
  return known.length < steps.length || known.length > WALKED_MAX ? undefined : known;
}

/** Any payment may begin a journey; on the way each is a new one, a renewal or a trial. */
function isOneAction(step: FunnelStep): boolean {
  return step.type !== 'payment' || step.kind !== 'any';
}
