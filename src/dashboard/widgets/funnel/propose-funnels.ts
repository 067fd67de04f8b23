import type { FunnelStep } from './steps.ts';

/** What a site has that a funnel could be made of, the most frequent first. */
export type Material = {
  readonly pages: readonly string[];
  readonly goals: readonly string[];
  readonly hasPayments: boolean;
};

const GOALS_MAX = 3;

/**
 * Funnels to begin with: from the most visited page over each of the most frequent goals to the
 * payment, and over the next page instead of a goal. None where there are no two things to do.
 * Goals are not put one after the other: nothing says that people reach them in an order.
 */
export function proposeFunnels({ pages, goals, hasPayments }: Material): readonly FunnelStep[][] {
  const [page, next] = pages.map((path): FunnelStep => ({ type: 'page', path }));
  const reached = goals.slice(0, GOALS_MAX).map((name): FunnelStep => ({ type: 'goal', name }));
  const end = hasPayments ? ({ type: 'payment', kind: 'any' } as const) : undefined;
  return [...reached, next]
    .map((middle) => [page, middle, end].filter((step) => step !== undefined))
    .filter(({ length }) => length >= 2);
}
