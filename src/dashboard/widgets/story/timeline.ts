import type { StoryAnswer } from '#contract/story.ts';

/** A visit of a story. */
export type StoryVisit = StoryAnswer['visits'][number];
/** A payment or refund of a story. */
export type StoryPayment = StoryAnswer['payments'][number];
/** An event of a story. */
export type StoryMoment = StoryVisit['events'][number];
/** A touch of a visit. */
export type StoryTouch = StoryVisit['touches'][number];

/** An entry of a visit: where the visitor came from once more, what was done or paid, in chronological order. */
export type TimelineEntry =
  | { readonly kind: 'came'; readonly at: string; readonly touch: StoryTouch }
  | { readonly kind: 'done'; readonly at: string; readonly done: StoryMoment }
  | { readonly kind: 'paid'; readonly at: string; readonly paid: StoryPayment };

/** A visit with its entries, or an entry between visits. */
export type TimelineItem =
  | {
      readonly kind: 'visit';
      readonly at: string;
      readonly visit: StoryVisit;
      readonly entries: readonly TimelineEntry[];
    }
  | TimelineEntry;

type Page = Pick<StoryAnswer, 'visits' | 'payments' | 'goals_of_no_visit'>;

/** How far a payment may lag behind its visit: providers report seconds later. */
const LAG_MS = 5 * 60_000;

/**
 * A person's visits, with the payments and goals within and between them, latest first.
 *
 * - The first page holds all payments and goals. Those before the earliest loaded visit wait for
 *   its page, so that nothing is inserted above what is being read.
 */
export function toTimeline(pages: readonly Page[], isWhole: boolean): TimelineItem[] {
  const visits = pages.flatMap((page) => page.visits);
  const earliest = visits.at(-1)?.started_at;
  const loose: TimelineEntry[] = [
    ...(pages[0]?.payments ?? []).map((paid) => ({ kind: 'paid', at: paid.at, paid }) as const),
    ...(pages[0]?.goals_of_no_visit ?? []).map(
      (done) => ({ kind: 'done', at: done.at, done }) as const,
    ),
  ].filter(({ at }) => isWhole || (earliest !== undefined && at >= earliest));
  const inside = Map.groupBy(loose, (entry) => visits.find((visit) => holds(visit, entry)));
  return [
    ...visits.map((visit) => toVisit(visit, inside.get(visit) ?? [])),
    ...(inside.get(undefined) ?? []),
  ].sort((one, other) => compareInstants(other.at, one.at));
}

function toVisit(visit: StoryVisit, paid: readonly TimelineEntry[]): TimelineItem {
  const done = visit.events.map((each) => ({ kind: 'done', at: each.at, done: each }) as const);
  // The visit's head has its own touch.
  const came = visit.touches
    .slice(1)
    .map((touch) => ({ kind: 'came', at: touch.at, touch }) as const);
  const entries = [...came, ...done, ...paid].sort((one, other) =>
    compareInstants(one.at, other.at),
  );
  return { kind: 'visit', at: visit.started_at, visit, entries };
}

function holds({ started_at, last_event_at }: StoryVisit, { kind, at }: TimelineEntry): boolean {
  const end = Date.parse(last_event_at) + (kind === 'paid' ? LAG_MS : 0);
  return at >= started_at && Date.parse(at) <= end;
}

function compareInstants(one: string, other: string): number {
  return Date.parse(one) - Date.parse(other);
}
