import type { Fault } from '#contract/fault.ts';
import { JOURNEYS_MAX, type Journeys, type JourneysAnswer } from '#contract/reports/journeys.ts';
import type { Step } from '#contract/step.ts';
import type { KindParts, QueryKind } from '../../query/query-kind.ts';
import { ALL, createReportKind, type Report } from '../report-kind.ts';
import { parseStep, refusePayments, toWindow } from '../steps/step.ts';
import { type JourneyRow, type JourneysQuery, toJourneysStatement } from './journeys-sql.ts';
import { toPaths } from './to-paths.ts';

const DEFAULTS = { within: 'visit', by: 'person', depth: 3, breadth: 5 } as const;

const NO_ANCHOR =
  'Journeys have a beginning or an end: {"from": {"type": "page", "path": "/pricing"}}, or "to".';

/** By which paths people come to something, or go on from it, and what they pay. */
export const journeys: Report<Journeys, JourneysQuery, JourneyRow, JourneysAnswer> = {
  parse(sent, base, faults) {
    refusePayments(base.filter, faults);
    const direction = sent.to === undefined ? 'from' : 'to';
    const anchor = parseAnchor(sent, faults);
    const { fold = [] } = sent;
    for (const [index, path] of fold.entries()) {
      const own: Fault[] = [];
      parseStep({ type: 'page', path }, '', own);
      faults.push(...own.map(({ message }) => ({ path: `/fold/${index}`, message })));
    }
    const asked = { ...DEFAULTS, ...sent, fold };
    const { depth, breadth, within } = asked;
    if (countBranches(depth, breadth) > JOURNEYS_MAX.branches) {
      const message = `${breadth} ways at each of ${depth} steps are more than ${JOURNEYS_MAX.branches} branches: take less of either.`;
      faults.push({ path: '/breadth', message });
    }
    if (anchor === undefined) return undefined;
    const understood = { ...asked, [direction]: anchor };
    return { asked: understood, anchor, direction, window: toWindow(within), query: base };
  },
  toStatement: toJourneysStatement,
  paymentsOf: () => ALL,
  toAnswer: (rows, report, common) => ({ results: toPaths(rows, report), ...common }),
};

/** Answers {@link journeys}. A malformed anchor is not reported as missing, too. */
export function createJourneys(parts: KindParts): QueryKind<Journeys, JourneysAnswer> {
  const kind = createReportKind(parts, journeys);
  return {
    ...kind,
    findMoreFaults(site, sent, faults) {
      const isAnchorMalformed = faults.some(({ path }) => /^\/(from|to)\b/.test(path));
      const found = kind.findMoreFaults(site, sent, faults);
      return found.filter(({ message }) => !isAnchorMalformed || message !== NO_ANCHOR);
    },
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

function countBranches(depth: number, breadth: number): number {
  const ofStep = Array.from({ length: depth }, (_, index) => breadth ** (index + 1));
  return ofStep.reduce((a, b) => a + b);
}
