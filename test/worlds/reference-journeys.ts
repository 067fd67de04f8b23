import type { Beginning, Step } from '#contract/step.ts';
import { isStep } from './reference-funnel.ts';
import { type Deed, deedsOf } from './reference-steps.ts';
import type { StepWorld } from './step-world.ts';

/** What is asked of a world. */
export type ReferenceJourneys = {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly direction: 'from' | 'to';
  readonly anchor: Beginning;
  /** What was walked before, outward, as text. */
  readonly after: readonly string[];
  /** Within one visit, or so many milliseconds. */
  readonly within: 'visit' | number;
  readonly by: 'person' | 'visitor';
  readonly depth: number;
  readonly breadth: number;
};

/** A way, its steps as text: `page /a`. */
export type ReferenceWay = {
  readonly path: readonly string[];
  readonly reached: number;
  readonly ended: number;
  readonly other: number;
  readonly revenueMinor: bigint;
};

type Journey = { readonly path: readonly string[]; readonly revenueMinor: bigint };

/** The ways of everybody, laid out one by one and counted. */
export function waysOf(world: StepWorld, asked: ReferenceJourneys): ReferenceWay[] {
  const deeds = deedsOf(world, asked.by);
  const journeys = [...Map.groupBy(deeds, ({ who }) => who).values()].flatMap((own) => {
    const journey = toJourney(own, asked);
    if (journey === undefined) return [];
    const { path, revenueMinor } = journey;
    const { length } = asked.after;
    const hasWalked = asked.after.every((text, index) => text === path[index]);
    return hasWalked ? [{ path: path.slice(length), revenueMinor }] : [];
  });
  return waysFrom([], journeys, asked);
}

function toJourney(own: readonly Deed[], asked: ReferenceJourneys): Journey | undefined {
  const { startsAt, endsAt, within, direction } = asked;
  const isFrom = direction === 'from';
  // What begins in the period may go on after it, and what ends there may have begun before; a visit a day.
  const reachMs = within === 'visit' ? 86_400_000 : within;
  const reachedAt = endsAt + (within === 'visit' ? reachMs : reachMs + 1);
  const inOrder = own.toSorted(byTime);
  const isOfVisit = asked.anchor.type === 'visit';
  const [anchor] = inOrder
    .filter(
      (deed) =>
        (isOfVisit ? deed.type !== 'payment' : isStep(deed, asked.anchor as Step)) &&
        deed.occurredAt >= startsAt &&
        deed.occurredAt < endsAt &&
        (within !== 'visit' || deed.visit !== undefined),
    )
    .toSorted((a, b) => (isOfVisit ? a.at - b.at || byVisit(a, b) : 0));
  if (anchor === undefined) return undefined;
  const isNear = (deed: Deed) =>
    within === 'visit'
      ? deed.visit?.id === anchor.visit?.id
      : Math.abs(deed.at - anchor.at) <= within;
  const others = inOrder.filter(
    (deed) =>
      isNear(deed) &&
      (isOfVisit
        ? deed.at >= anchor.at
        : isFrom
          ? isBefore(anchor, deed)
          : isBefore(deed, anchor)) &&
      deed.occurredAt >= (isFrom ? startsAt : startsAt - reachMs) &&
      deed.occurredAt < (isFrom ? reachedAt : endsAt),
  );
  const outward = [
    isOfVisit ? 'visit' : textOf(anchor),
    ...(isFrom ? others : others.toReversed()).map(textOf),
  ];
  const paid = own.filter(
    (deed) =>
      isNear(deed) &&
      deed.at >= anchor.at &&
      deed.occurredAt >= startsAt &&
      deed.occurredAt < reachedAt,
  );
  return {
    path: outward.filter((text, index) => text !== outward[index - 1]).slice(1),
    revenueMinor: sum(paid),
  };
}

function waysFrom(
  path: readonly string[],
  journeys: readonly Journey[],
  asked: ReferenceJourneys,
): ReferenceWay[] {
  const next = Map.groupBy(journeys, (journey) => journey.path[path.length] ?? '');
  const ended = next.get('')?.length ?? 0;
  next.delete('');
  const told = [...next]
    .toSorted(
      ([a, some], [b, others]) => others.length - some.length || (ranked(a) < ranked(b) ? -1 : 1),
    )
    .slice(0, path.length < asked.depth ? asked.breadth : 0);
  const further = told.flatMap(([text, own]) => waysFrom([...path, text], own, asked));
  const followed = told.reduce((count, [, own]) => count + own.length, 0);
  const reached = journeys.length;
  const way = { path, reached, ended, other: reached - ended - followed };
  return [{ ...way, revenueMinor: sum(journeys) }, ...further];
}

/** In the same millisecond pages come first, then goals, then payments, each by name. */
function byTime(a: Deed, b: Deed): number {
  if (isBefore(a, b)) return -1;
  if (isBefore(b, a)) return 1;
  return byVisit(a, b);
}

function byVisit(a: Deed, b: Deed): number {
  return (a.visit?.id ?? '').localeCompare(b.visit?.id ?? '');
}

function isBefore(a: Deed, b: Deed): boolean {
  return a.at < b.at || (a.at === b.at && rankOf(a) < rankOf(b));
}

function rankOf(deed: Deed): string {
  return ranked(textOf(deed));
}

function ranked(text: string): string {
  return `${['page', 'goal', 'payment'].indexOf(text.split(' ')[0] ?? '')} ${text}`;
}

/** All pages below /docs are told as one. */
function textOf({ type, name }: Deed): string {
  return `${type} ${name.startsWith('/docs/') ? '/docs/**' : name}`;
}

function sum(of: readonly { readonly revenueMinor: bigint }[]): bigint {
  return of.reduce((total, { revenueMinor }) => total + revenueMinor, 0n);
}
