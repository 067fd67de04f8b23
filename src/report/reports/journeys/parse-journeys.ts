import type { Fault } from '#contract/fault.ts';
import { JOURNEYS_MAX, type Journeys } from '#contract/reports/journeys.ts';
import type { BaseQuery } from '../../query/query.ts';
import type { Planned } from '../report-kind.ts';
import { parseStep, refusePayments, toWindow } from '../steps/parse-steps.ts';
import type { Step, Who, Window } from '../steps/step.ts';

/** Journeys that were parsed. */
export type JourneysQuery = {
  /** Where they begin or end, and which of both. */
  readonly anchor: Step;
  readonly direction: 'from' | 'to';
  readonly window: Window;
  readonly by: Who;
  /** Site, period and filter. */
  readonly query: BaseQuery;
  readonly depth: number;
  readonly breadth: number;
  readonly fold: readonly string[];
};

/** The same, planned. */
export type JourneysPlan = Planned<JourneysQuery>;

/** What is told when nothing is said. */
export const JOURNEYS_DEFAULTS = { within: 'visit', by: 'person', depth: 3, breadth: 5 } as const;

/** Said of journeys that neither begin nor end. */
export const NO_ANCHOR =
  'Journeys have a beginning or an end: {"from": {"type": "page", "path": "/pricing"}}, or "to".';

/** The journeys that are meant; what has no meaning, or more than can be listed, is noted. */
export function parseJourneys(
  asked: Journeys,
  base: BaseQuery,
  faults: Fault[],
): JourneysQuery | undefined {
  refusePayments(base.filter, faults);
  const direction = asked.to === undefined ? 'from' : 'to';
  const anchor = parseAnchor(asked, faults);
  const fold = asked.fold ?? [];
  for (const [index, path] of fold.entries()) {
    const own: Fault[] = [];
    parseStep({ type: 'page', path }, '', own);
    faults.push(...own.map(({ message }) => ({ path: `/fold/${index}`, message })));
  }
  const { depth = JOURNEYS_DEFAULTS.depth, breadth = JOURNEYS_DEFAULTS.breadth } = asked;
  if (branches(depth, breadth) > JOURNEYS_MAX.branches) {
    const message = `${breadth} ways at each of ${depth} steps are more than ${JOURNEYS_MAX.branches} branches: take less of either.`;
    faults.push({ path: '/breadth', message });
  }
  if (anchor === undefined) return undefined;
  return {
    ...{ anchor, direction, depth, breadth, fold },
    window: toWindow(asked.within ?? JOURNEYS_DEFAULTS.within),
    by: asked.by ?? JOURNEYS_DEFAULTS.by,
    query: base,
  };
}

function parseAnchor({ from, to }: Journeys, faults: Fault[]): Step | undefined {
  if (from !== undefined && to !== undefined) {
    faults.push({ path: '/to', message: 'Journeys are asked for from a step, or to one.' });
  }
  if (from !== undefined) return parseStep(from, '/from', faults);
  if (to !== undefined) return parseStep(to, '/to', faults);
  faults.push({ path: '/from', message: NO_ANCHOR });
  return undefined;
}

function branches(depth: number, breadth: number): number {
  return Array.from({ length: depth }, (_, index) => breadth ** (index + 1)).reduce(
    (a, b) => a + b,
  );
}
