import type { Step } from '#contract/step.ts';
import { type Deed, deedsOf } from './reference-steps.ts';
import type { StepWorld } from './step-world.ts';

/** What is asked of a world. */
export type ReferenceFunnel = {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly steps: readonly Step[];
  /** Within one visit, or so many milliseconds. */
  readonly within: 'visit' | number;
  readonly by: 'person' | 'visitor';
};

/** A row of a funnel by source: how many came to each step, medians in seconds, revenue. */
export type ReferenceFunnelRow = {
  readonly reached: readonly number[];
  readonly stepSeconds: readonly (number | null)[];
  readonly totalSeconds: readonly (number | null)[];
  readonly revenueMinor: bigint;
};

type Try = { readonly took: readonly Deed[] };

/** A funnel by the source of the visit it began in: every try of everybody is made, and the best is kept. */
export function funnelBySource(
  world: StepWorld,
  asked: ReferenceFunnel,
): Map<string, ReferenceFunnelRow> {
  const { startsAt, endsAt, within } = asked;
  // What begins in the period may go on after it; a visit for a day.
  const reachMs = within === 'visit' ? 86_400_000 : within + 1;
  const deeds = deedsOf(world, asked.by).filter(
    ({ occurredAt }) => occurredAt >= startsAt && occurredAt < endsAt + reachMs,
  );
  const bests = [...Map.groupBy(deeds, ({ who }) => who).values()].flatMap((own) => {
    const best = bestTry(own, asked);
    return best === undefined ? [] : [best];
  });
  const bySource = Map.groupBy(bests, ({ took }) => took[0]?.visit?.source ?? 'Unattributed');
  return new Map([...bySource].map(([source, tries]) => [source, toRow(tries, deeds, asked)]));
}

function bestTry(own: readonly Deed[], asked: ReferenceFunnel): Try | undefined {
  const visits = [...Map.groupBy(own, ({ visit }) => visit?.id ?? '').entries()]
    .filter(([id]) => id !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, deeds]) => deeds);
  const tries = (asked.within === 'visit' ? visits : [own]).flatMap((deeds) =>
    triesOf(deeds, asked),
  );
  return tries.toSorted(
    (a, b) =>
      b.took.length - a.took.length ||
      codeOf(a.took[0], asked) - codeOf(b.took[0], asked) ||
      idOf(a.took[0]?.visit).localeCompare(idOf(b.took[0]?.visit)),
  )[0];
}

function idOf(visit: Deed['visit']): string {
  return visit?.id ?? '';
}

function triesOf(deeds: readonly Deed[], asked: ReferenceFunnel): Try[] {
  const { steps, endsAt, within } = asked;
  const seen = deeds.toSorted(
    (a, b) => codeOf(a, asked) - codeOf(b, asked) || idOf(a.visit).localeCompare(idOf(b.visit)),
  );
  const firsts = seen.filter((deed) => isStep(deed, steps[0]) && deed.occurredAt < endsAt);
  return firsts.map((first) => {
    const took = [first];
    for (const step of steps.slice(1)) {
      const later = seen.slice(seen.indexOf(took.at(-1) as Deed) + 1);
      const next = later.find((deed) => isStep(deed, step));
      if (next === undefined || (within !== 'visit' && next.at - first.at > within)) break;
      took.push(next);
    }
    return { took };
  });
}

/** In the order of time; in the same millisecond, of the steps that they are. */
function codeOf(deed: Deed | undefined, { steps, endsAt }: ReferenceFunnel): number {
  if (deed === undefined) return 0;
  const bits = steps.map((step, index) =>
    isStep(deed, step) && (index > 0 || deed.occurredAt < endsAt) ? 2 ** index : 0,
  );
  return deed.at * 256 + bits.reduce((sum, bit) => sum + bit, 0);
}

/** Whether a deed is a step. */
export function isStep({ type, name }: Deed, step: Step | undefined): boolean {
  if (step?.type !== type) return false;
  if (step.type === 'payment') {
    return step.kind === 'any' || step.kind === undefined ? name !== 'trial' : name === step.kind;
  }
  return fits(name, (step.type === 'page' ? step.path : step.name) ?? '');
}

/** Whether a text is as a pattern says, tried out star by star. */
function fits(text: string, pattern: string): boolean {
  if (pattern === '') return text === '';
  const stars = /^\*+/.exec(pattern)?.[0].length ?? 0;
  if (stars === 0) return text[0] === pattern[0] && fits(text.slice(1), pattern.slice(1));
  if (fits(text, pattern.slice(stars))) return true;
  return text !== '' && (stars > 1 || text[0] !== '/') && fits(text.slice(1), pattern);
}

function toRow(
  tries: readonly Try[],
  deeds: readonly Deed[],
  asked: ReferenceFunnel,
): ReferenceFunnelRow {
  const { steps, within } = asked;
  const times = (index: number, since: number) =>
    tries
      .filter(({ took }) => took.length > index)
      .map(({ took }) => (took[index]?.at ?? 0) - (took[since]?.at ?? 0));
  const finished = tries.filter(({ took }) => took.length === steps.length);
  const revenue = finished.flatMap(({ took: [first] }) =>
    deeds.filter(
      (deed) =>
        deed.who === first?.who &&
        deed.at >= first.at &&
        (within === 'visit' ? deed.visit?.id === first.visit?.id : deed.at <= first.at + within),
    ),
  );
  return {
    reached: steps.map((_, index) => tries.filter(({ took }) => took.length > index).length),
    stepSeconds: steps.slice(1).map((_, index) => median(times(index + 1, index))),
    totalSeconds: steps.slice(1).map((_, index) => median(times(index + 1, 0))),
    revenueMinor: revenue.reduce((sum, { revenueMinor }) => sum + revenueMinor, 0n),
  };
}

/** In whole seconds; null of nothing. */
function median(times: readonly number[]): number | null {
  const ms = medianOf(times);
  return ms === null ? null : Math.round(ms / 1_000);
}

/** The value in the middle, between two the half of them; null of nothing. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const inOrder = values.toSorted((a, b) => a - b);
  const middle = (inOrder.length - 1) / 2;
  const [low = 0, high = 0] = [inOrder[Math.floor(middle)], inOrder[Math.ceil(middle)]];
  return (low + high) / 2;
}
