import type { Fault } from '#contract/fault.ts';
import type { Step, Within } from '#contract/step.ts';
import { DAY_MS, HOUR_MS } from '#domain/time/durations.ts';
import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { isTrial } from '../../query/sql/rows.ts';
import { findWildcardFault, wildcardSql } from '../../query/wildcard.ts';

const KINDS = {
  page: {
    field: 'path',
    isWrong: /^[^/*]/,
    missing: 'A page has a path, such as "/pricing" or "/docs/**".',
    wrong: 'A path begins with "/", or with "*".',
  },
  goal: {
    field: 'name',
    isWrong: /[^a-z0-9_*-]/,
    missing: 'A goal has a name, such as "signup" or "trial_*".',
    wrong: 'Names of goals are of a-z, 0-9, "_" and "-"; "*" stands for any of them.',
  },
  payment: { field: 'kind' },
} as const;

/** A step with its defaults. Notes each fault at its place. */
export function parseStep(sent: Step, path: string, faults: Fault[]): Step {
  const fault = (field: string, message: string) =>
    faults.push({ path: `${path}/${field}`, message });
  const own = KINDS[sent.type];
  for (const { field } of Object.values(KINDS)) {
    if (field === own.field || sent[field] === undefined) continue;
    const may = sent.type === 'payment' ? 'may have' : 'has';
    fault(field, `A ${sent.type} has no ${field}: it ${may} a ${own.field}.`);
  }
  if (own.field === 'kind') return { ...sent, kind: sent.kind ?? 'any' };
  const { field, isWrong, missing, wrong } = own;
  const pattern = sent[field] ?? '';
  if (pattern === '') fault(field, missing);
  else if (isWrong.test(pattern)) fault(field, wrong);
  const wildcards = findWildcardFault(pattern);
  if (wildcards !== undefined) fault(field, wildcards);
  return sent;
}

/** The table that contains a step's rows. */
export function tableOf({ type }: Step): 'events' | 'payments' {
  return type === 'payment' ? 'payments' : 'events';
}

/** SQL condition for rows of `events` or `payments` that match a step. */
export function stepSql(
  { type, path = '', name = '', kind = 'any' }: Step,
  scope: Scope,
  bind: Bind,
): string {
  switch (type) {
    case 'page':
      return `type = 'pageview' AND ${wildcardSql('path', path, bind)}`;
    case 'goal':
      return `type = 'goal' AND ${wildcardSql('name', name, bind)}`;
    case 'payment':
      return kind === 'trial' ? isTrial(scope, bind) : PAYMENTS[kind];
  }
}

const PAYMENTS = {
  any: 'amount_minor > 0',
  new: 'amount_minor > 0 AND renewal = 0',
  renewal: 'amount_minor > 0 AND renewal = 1',
} as const;

/** How far apart related actions may be: in one visit, or this many milliseconds, inclusive. */
export type Window = 'visit' | number;

/** The requested window. */
export function toWindow(within: Within): Window {
  if (within === 'visit') return within;
  if ('days' in within) return within.days * DAY_MS;
  if ('hours' in within) return within.hours * HOUR_MS;
  return within.seconds * 1_000;
}

/**
 * The plan, extended to where things that begin in its period may lead, or where things that end in it may have
 * begun: a visit may last another day.
 */
export function withReach<Plan extends Scope>(
  plan: Plan,
  window: Window,
  direction: 'from' | 'to' = 'from',
): Plan {
  const { startsAt, endsAt } = plan.period;
  const reachMs = window === 'visit' ? DAY_MS : window;
  const reach =
    direction === 'from'
      ? { endsAt: endsAt + reachMs + 1 } // The window is inclusive.
      : { startsAt: Math.max(0, startsAt - reachMs) };
  return { ...plan, period: { ...plan.period, ...reach } };
}
