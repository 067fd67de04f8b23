import type { Fault } from '#contract/fault.ts';
import type { Step as SentStep, Within } from '#contract/step.ts';
import { type Filter, filteredDimensions } from '../../query/filter.ts';
import { DAY_MS } from '../../query/sql/rows.ts';
import type { Step, Window } from './step.ts';

/** Patterns with more stars than that are no pages or names any more. */
const STARS_MAX = 10;

/** Fields of a step beside its type, and what has them. */
const FIELDS = { path: 'page', name: 'goal', kind: 'payment' } as const;

/** The steps that are meant; a fault is noted at its place and leaves the step out. */
export function parseSteps(sent: readonly SentStep[], path: string, faults: Fault[]): Step[] {
  return sent.flatMap((step, index) => parseStep(step, `${path}/${index}`, faults) ?? []);
}

/** The step that is meant; a fault is noted and leaves `undefined`. */
export function parseStep(sent: SentStep, path: string, faults: Fault[]): Step | undefined {
  const before = faults.length;
  const fault = (field: string, message: string) =>
    faults.push({ path: `${path}/${field}`, message });
  for (const [field, type] of Object.entries(FIELDS)) {
    if (type === sent.type || sent[field as keyof typeof FIELDS] === undefined) continue;
    fault(field, `A ${sent.type} has no ${field}: ${WHAT_IT_HAS[sent.type]}`);
  }
  const step = toStep(sent, fault);
  return faults.length === before ? step : undefined;
}

const WHAT_IT_HAS: Readonly<Record<SentStep['type'], string>> = {
  page: 'it has a path.',
  goal: 'it has a name.',
  payment: 'it may have a kind.',
};

function toStep(
  { type, path = '', name = '', kind = 'any' }: SentStep,
  fault: (field: string, message: string) => void,
): Step {
  if (type === 'payment') return { of: 'payment', kind };
  const pattern = type === 'page' ? path : name;
  const field = type === 'page' ? 'path' : 'name';
  const { isWrong, missing, wrong } = PATTERNS[type];
  if (pattern === '') fault(field, missing);
  else if (isWrong.test(pattern)) fault(field, wrong);
  else if (countStars(pattern) > STARS_MAX) {
    fault(field, `A pattern has "*" or "**" in at most ${STARS_MAX} places.`);
  }
  return { of: type, pattern };
}

const PATTERNS = {
  page: {
    isWrong: /^[^/*]/,
    missing: 'A page has a path, such as "/pricing" or "/docs/**".',
    wrong: 'A path begins with "/", or with "*".',
  },
  goal: {
    isWrong: /[^a-z0-9_*-]/,
    missing: 'A goal has a name, such as "signup" or "trial_*".',
    wrong: 'Names of goals are of a-z, 0-9, "_" and "-"; "*" stands for any of them.',
  },
} as const;

/** In how many places a pattern has stars. */
export function countStars(pattern: string): number {
  return pattern.split(/\*+/).length - 1;
}

/** Notes a fault when a filter is about payments: what is counted here are people. */
export function refusePayments(filter: Filter, faults: Fault[]): void {
  const named = [...filteredDimensions(filter)].find(({ of }) => of === 'payment');
  if (named === undefined) return;
  const message = `People are counted here, who have no ${named.name}: filter by visit:*, visitor:* or event:*.`;
  faults.push({ path: '/filters', message });
}

/** How far apart what belongs together may lie, in milliseconds. */
export function toWindow(within: Within): Window {
  if (within === 'visit') return { of: 'visit' };
  if ('days' in within) return { of: 'time', ms: within.days * DAY_MS };
  if ('hours' in within) return { of: 'time', ms: within.hours * 3_600_000 };
  return { of: 'time', ms: within.seconds * 1_000 };
}

/** A step as an answer echoes it, every default filled in. */
export function toSentStep(step: Step): SentStep {
  switch (step.of) {
    case 'page':
      return { type: 'page', path: step.pattern };
    case 'goal':
      return { type: 'goal', name: step.pattern };
    case 'payment':
      return { type: 'payment', kind: step.kind };
  }
}
