import type { Fault } from '#contract/fault.ts';
import { JOURNEYS_MAX, type Journeys } from '#contract/reports/journeys.ts';
import type { Beginning, Step } from '#contract/step.ts';
import { refusePayments } from '../../query/parse/parse-filter.ts';
import type { BaseQuery } from '../../query/query.ts';
import { parseStep, toWindow } from '../steps/step.ts';

const DEFAULTS = { within: 'visit', by: 'person', depth: 3, breadth: 5 } as const;

/** The fault of journeys without an anchor. */
export const NO_ANCHOR =
  'A journey needs a beginning or an end: {"from": {"type": "page", "path": "/pricing"}}, or "to".';
const NOT_NAMED_SO = 'Paths name payments as new, renewal or trial: say which.';

/** Parses journeys. Notes each fault at its place. */
export function parseJourneys(sent: Journeys, base: BaseQuery, faults: Fault[]) {
  refusePayments(base.filter, faults);
  const direction = sent.to === undefined ? 'from' : 'to';
  const anchor = parseAnchor(sent, faults);
  const after = (sent.after ?? []).map((step, index) =>
    parseWalked(step, `/after/${index}`, faults),
  );
  const asked = { ...DEFAULTS, ...sent, after, fold: sent.fold ?? [] };
  for (const [index, path] of asked.fold.entries()) {
    const own: Fault[] = [];
    parseStep({ type: 'page', path }, '', own);
    faults.push(...own.map(({ message }) => ({ path: `/fold/${index}`, message })));
  }
  const { depth, breadth, within } = asked;
  if (countBranches(depth, breadth) > JOURNEYS_MAX.branches) {
    const message = `A breadth of ${breadth} and a depth of ${depth} make more than ${JOURNEYS_MAX.branches} branches: lower one of them.`;
    faults.push({ path: '/breadth', message });
  }
  const understood = { ...asked, [direction]: anchor };
  return { asked: understood, anchor, direction, window: toWindow(within), query: base } as const;
}

/** Parsed journeys. */
export type JourneysQuery = ReturnType<typeof parseJourneys>;

/** Parses a step already taken: it names one action, as in answers. */
function parseWalked(sent: Step, path: string, faults: Fault[]): Step {
  const step = parseStep(sent, path, faults);
  if (step.kind === 'any') faults.push({ path: `${path}/kind`, message: NOT_NAMED_SO });
  return step;
}

function parseAnchor({ from, to }: Journeys, faults: Fault[]): Beginning {
  if (from !== undefined && to !== undefined) {
    faults.push({ path: '/to', message: 'Give either from or to, not both.' });
  }
  if (from !== undefined && isStep(from)) return parseStep(from, '/from', faults);
  if (from !== undefined) return parseVisit(from, faults);
  if (to !== undefined) return parseStep(to, '/to', faults);
  faults.push({ path: '/from', message: NO_ANCHOR });
  return { type: 'page' };
}

function parseVisit(from: Beginning, faults: Fault[]): Beginning {
  for (const field of ['path', 'name', 'kind'] as const) {
    if (from[field] === undefined) continue;
    const message = `A visit has no ${field}, as it starts with the first action of any kind.`;
    faults.push({ path: `/from/${field}`, message });
  }
  return from;
}

/** Whether journeys begin with a step. */
export function isStep(beginning: Beginning): beginning is Step {
  return beginning.type !== 'visit';
}

function countBranches(depth: number, breadth: number): number {
  const ofStep = Array.from({ length: depth }, (_, index) => breadth ** (index + 1));
  return ofStep.reduce((a, b) => a + b);
}
