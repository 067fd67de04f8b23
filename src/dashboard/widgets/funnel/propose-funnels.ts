import type { FunnelStep } from './steps.ts';

/** The pages and goals a funnel could be made of, most frequent first. */
type Material = {
  readonly pages: readonly string[];
  readonly goals: readonly string[];
  readonly hasPayments: boolean;
};

const GOALS_MAX = 3;

/**
 * Starter funnels: from the most visited page via each of the most frequent goals to the
 * payment, and via the next page instead of a goal. None without two things to do.
 * Goals are never chained: nothing says in what order visitors reach them.
 */
export function proposeFunnels({ pages, goals, hasPayments }: Material): readonly FunnelStep[][] {
  const [page, next] = pages.map((path): FunnelStep => ({ type: 'page', path }));
  const reached = goals.slice(0, GOALS_MAX).map((name): FunnelStep => ({ type: 'goal', name }));
  const end = hasPayments ? ({ type: 'payment', kind: 'any' } as const) : undefined;
  return [...reached, next]
    .map((middle) => [page, middle, end].filter((step) => step !== undefined))
    .filter(({ length }) => length >= 2);
}
