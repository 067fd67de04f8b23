import type { FunnelAnswer } from '#contract/reports/funnel.ts';
import type { SavedFunnel, SavedFunnelsAnswer } from '#contract/sites/saved.ts';
import type { Step, Within } from '#contract/step.ts';
import { showPath } from '#domain/visit/paths.ts';
import { usePart, useView, type View } from '../../address/address.ts';
import { useOfSite } from '../../api/account.ts';
import { useAnswer, useReport } from '../../api/query.ts';
import { toSearch } from '../../format/values.ts';

/** The maximum number of steps. */
export const STEPS_MAX = 8;
const TEXT_LENGTH_MAX = 500;
const DAYS_MAX = 90;

/** The payment kinds a step can have, by their names in the query API. */
export const PAYMENT_LABELS = {
  any: 'Any payment',
  new: 'New payment',
  renewal: 'Renewal',
  trial: 'Trial',
} as const;

/** One of {@link PAYMENT_LABELS}. */
export type PaymentKind = keyof typeof PAYMENT_LABELS;

/** What a visitor does at one step, as in the query API. */
export type FunnelStep =
  | { readonly type: 'page'; readonly path: string }
  | { readonly type: 'goal'; readonly name: string }
  | { readonly type: 'payment'; readonly kind: PaymentKind };

/** A funnel as stored in its page's URL. */
export type FunnelView = {
  readonly steps: readonly FunnelStep[];
  /** `visit`, or a duration such as `1h` or `30d`. */
  readonly within: string;
  /** The breakdown dimension. */
  readonly split: string;
};

/** The funnel of a bare URL. */
export const NO_FUNNEL: FunnelView = { steps: [], within: '30d', split: 'visit:channel' };

/** Parses a URL's funnel: `step=page,/pricing&step=payment,new&within=7d`; skips what is invalid. */
export function parseFunnel(params: URLSearchParams): FunnelView {
  const within = params.get('within') ?? '';
  const split = params.get('split') ?? '';
  return {
    steps: params
      .getAll('step')
      .flatMap((text) => parseFunnelStep(text) ?? [])
      .slice(0, STEPS_MAX),
    within: toWithin(within) === undefined ? NO_FUNNEL.within : within,
    split: /^(visit|visitor):\w+$/.test(split) ? split : NO_FUNNEL.split,
  };
}

/** The shortest equivalent parameters, plus the unrelated ones. */
export function writeFunnel(funnel: FunnelView, others: URLSearchParams): URLSearchParams {
  const params = new URLSearchParams(others);
  params.delete('step');
  for (const step of funnel.steps) params.append('step', writeStep(step));
  for (const name of ['within', 'split'] as const) {
    if (funnel[name] === NO_FUNNEL[name]) params.delete(name);
    else params.set(name, funnel[name]);
  }
  return params;
}

/** Parses `page,/pricing`, `goal,signup`, `payment` or `payment,new`; undefined when invalid. */
export function parseFunnelStep(text: string): FunnelStep | undefined {
  const comma = text.indexOf(',');
  const type = comma < 0 ? text : text.slice(0, comma);
  const value = comma < 0 ? '' : text.slice(comma + 1);
  if (type === 'payment') {
    const kind = value || 'any';
    return isPaymentKind(kind) ? { type, kind } : undefined;
  }
  if (value === '' || value.length > TEXT_LENGTH_MAX) return undefined;
  if (type === 'page') return { type, path: value };
  if (type === 'goal') return { type, name: value };
  return undefined;
}

/** The inverse of {@link parseFunnelStep}. */
export function writeStep(step: FunnelStep): string {
  if (step.type === 'page') return `page,${step.path}`;
  if (step.type === 'goal') return `goal,${step.name}`;
  return step.kind === 'any' ? 'payment' : `payment,${step.kind}`;
}

/** A step's name. */
export function nameStep(step: FunnelStep): string {
  if (step.type === 'page') return showPath(step.path);
  return step.type === 'goal' ? step.name : PAYMENT_LABELS[step.kind];
}

/** The steps after moving one of them. */
export function moveStep(
  steps: readonly FunnelStep[],
  from: number,
  to: number,
): readonly FunnelStep[] {
  const moved = steps[from];
  return moved === undefined || to < 0 || to >= steps.length
    ? steps
    : steps.toSpliced(from, 1).toSpliced(to, 0, moved);
}

/** A window for the query API; undefined when invalid or too long. */
export function toWithin(within: string): Within | undefined {
  if (within === 'visit') return 'visit';
  const [, digits, unit] = /^(\d{1,4})([hd])$/.exec(within) ?? [];
  const length = Number(digits);
  if (unit === 'h' && length >= 1 && length <= DAYS_MAX * 24) return { hours: length };
  if (unit === 'd' && length >= 1 && length <= DAYS_MAX) return { days: length };
  return undefined;
}

/** Whether an answer is for these exact steps. */
export function isAbout(steps: readonly FunnelStep[], answered: readonly Step[]): boolean {
  const texts = answered.map((step) => writeStep({ kind: 'any', ...step } as FunnelStep));
  return steps.map(writeStep).join('\n') === texts.join('\n');
}

/** A saved funnel for the page; undefined when the page cannot represent it. */
export function toFunnel({ steps, within }: Pick<SavedFunnel, 'steps' | 'within'>) {
  const own = steps.map(toFunnelStep);
  const known = own.filter((step) => step !== undefined);
  const text = writeWithin(within);
  if (known.length < own.length || toWithin(text) === undefined) return undefined;
  return { ...NO_FUNNEL, steps: known, within: text };
}

/** Whether two funnels have the same steps and window, whatever their breakdown. */
function isSameFunnel(one: FunnelView, other: FunnelView): boolean {
  return one.within === other.within && isAbout(one.steps, other.steps);
}

function toFunnelStep(step: Step): FunnelStep | undefined {
  const own = parseFunnelStep(writeStep({ kind: 'any', ...step } as FunnelStep));
  return own && Object.keys(step).every((key) => Object.hasOwn(own, key)) ? own : undefined;
}

function writeWithin(within: Within | undefined): string {
  if (within === undefined) return NO_FUNNEL.within;
  if (within === 'visit') return within;
  const [unit = '', length] = Object.entries(within)[0] ?? [];
  return `${length}${unit.slice(0, 1)}`;
}

function isPaymentKind(kind: string): kind is PaymentKind {
  return Object.hasOwn(PAYMENT_LABELS, kind);
}

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

/** The funnel in the page's URL, and how to change it. */
export function useFunnel() {
  return usePart(parseFunnel, writeFunnel);
}

/** The funnel's results, broken down by dimensions if any are given. */
export function useFunnelAnswer(
  view: View,
  funnel: FunnelView,
  { dimensions = [], limit = 1 }: { readonly dimensions?: string[]; readonly limit?: number } = {},
) {
  const { steps } = funnel;
  const asked = { steps, within: toWithin(funnel.within), dimensions, limit };
  return useReport<FunnelAnswer>('funnel', view, asked, steps.length >= 2);
}

/** The site's saved funnels. */
export function useSavedFunnels() {
  return useOfSite<SavedFunnelsAnswer>('/funnels');
}

/** The name of the saved funnel with the page's steps and window. */
export function useNameOfFunnel(funnel: FunnelView): string | undefined {
  return useSavedFunnels().data?.funnels.find((saved) => {
    const own = toFunnel(saved);
    return own !== undefined && isSameFunnel(own, funnel);
  })?.name;
}

/** The values of a dimension with the most visitors in the period, ignoring the filters. */
export function useValues(dimension: string, text: string, limit: number) {
  const [view] = useView();
  const answer = useAnswer(
    { ...view, filters: [] },
    {
      metrics: ['visitors'],
      dimensions: [dimension],
      pagination: { limit },
      ...(text !== '' && { filters: [toSearch(dimension, text)] }),
    },
  );
  const values = answer.data?.results.map(({ dimensions: [value = ''] }) => value);
  return { values, error: answer.error };
}
