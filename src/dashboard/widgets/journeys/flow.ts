import { sankey, sankeyLeft, sankeyLinkHorizontal } from 'd3-sankey';
import type { JourneysAnswer } from '#contract/reports/journeys.ts';
import type { Step } from '#contract/step.ts';

/** One path of an answer. */
export type Path = JourneysAnswer['results'][number];

/** The start, a step, the visitors who left, or those who took rarer paths. */
type Kind = 'start' | 'step' | 'left' | 'other';

/** A place in the diagram: how many reached it, and how. Lengths in pixels. */
export type FlowPlace = {
  readonly id: string;
  readonly kind: Kind;
  /** The steps from the start; for `left` and `other`, those of the place they branch off from. */
  readonly path: readonly Step[];
  readonly people: number;
  readonly share: number | null;
  readonly revenue: Path['revenue'] | undefined;
  /** The ids of earlier places. */
  readonly before: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly height: number;
};

/** A stream from one place to the next: the line's shape and width. */
type Stream = {
  readonly to: string;
  readonly kind: Kind;
  readonly shape: string;
  readonly width: number;
};

type Flow = {
  readonly height: number;
  readonly places: readonly FlowPlace[];
  readonly streams: readonly Stream[];
};

/** A share of all starts; rarer paths are drawn together. */
const SHARE_MIN = 0.03;
/** Shares of those who reached a place, and of all starts, down to which the most common way on is drawn. */
const [LEADS_OF_PLACE, LEADS_OF_ALL] = [0.05, 0.005];
/** The height for 100%, in pixels. */
const HEIGHT_OF_ALL = 220;
/** The gap between places: room for two lines of text at each. */
const GAP = 38;
/** A place's width, in pixels. */
export const PLACE_WIDTH = 8;

type Drawn = Omit<FlowPlace, 'x' | 'y' | 'height'>;

/**
 * The paths as a tree from left to right; a branch's width shows how many took it.
 *
 * - Shape: `columns` are equally wide, and the last has as much room for text as the others.
 */
export function toFlow(paths: readonly Path[], width: number, columns: number): Flow {
  const drawn = toPlaces(paths, columns);
  const links = drawn.flatMap((place) => {
    const source = place.before.at(-1);
    return source === undefined ? [] : [{ source, target: place.id, value: place.people }];
  });
  if (links.length === 0) return { height: 0, places: [], streams: [] };
  const ofColumns = Map.groupBy(drawn, ({ before }) => before.length);
  const most = Math.max(...[...ofColumns.values()].map(({ length }) => length));
  const height = HEIGHT_OF_ALL + most * GAP;
  const depth = Math.max(...ofColumns.keys());
  const layout = sankey<Drawn & { readonly order: number }, object>()
    .nodeId(({ id }) => id)
    .nodeAlign(sankeyLeft)
    .nodeSort((a, b) => a.order - b.order)
    .linkSort(null)
    .nodeWidth(PLACE_WIDTH)
    .nodePadding(GAP)
    .extent([
      [0, GAP / 2],
      [(width / columns) * depth + PLACE_WIDTH, height - GAP / 2],
    ]);
  const { nodes, links: laid } = layout({
    nodes: drawn.map((place, order) => ({ ...place, order })),
    links,
  });
  const toShape = sankeyLinkHorizontal();
  return {
    height,
    places: nodes.map(({ x0 = 0, y0 = 0, y1 = 0, id, kind, path, people, ...more }) => ({
      ...{ id, kind, path, people, share: more.share, revenue: more.revenue },
      ...{ before: more.before, x: x0, y: y0, height: y1 - y0 },
    })),
    streams: laid.map((link) => {
      const target = link.target as unknown as FlowPlace;
      const shape = toShape(link) ?? '';
      return { to: target.id, kind: target.kind, shape, width: Math.max(1, link.width ?? 0) };
    }),
  };
}

/** All places of the diagram, parents before their children. */
function toPlaces(paths: readonly Path[], columns: number): Drawn[] {
  const [start] = paths;
  if (start === undefined || start.reached === 0) return [];
  const all = start.reached;
  const further = (from: Path) =>
    paths.filter(
      ({ path }) =>
        path.length === from.path.length + 1 &&
        from.path.every((step, at) => writeAction(step) === writeAction(path[at])),
    );
  const leadsFrom = (people: number) => Math.max(people * LEADS_OF_PLACE, all * LEADS_OF_ALL);
  const visit = (from: Path, before: readonly string[]): Drawn[] => {
    const { path, reached: people, share, revenue } = from;
    const id = ['start', ...path.map(writeAction)].join('\n');
    const next = further(from);
    const shown = next.filter(
      ({ reached }, at) => reached >= all * SHARE_MIN || (at === 0 && reached >= leadsFrom(people)),
    );
    const rare = next.filter((each) => !shown.includes(each));
    const others = from.other + rare.reduce((sum, { reached }) => sum + reached, 0);
    const isLast = before.length + 1 === columns;
    const isWorthIt = (count: number) => count >= all * SHARE_MIN;
    const rest = (kind: 'left' | 'other', count: number): Drawn => ({
      ...{ id: `${id}\n${kind}`, kind, path, people: count, share: (count / all) * 100 },
      ...{ revenue: undefined, before: [...before, id] },
    });
    return [
      { id, kind: path.length === 0 ? 'start' : 'step', path, people, share, revenue, before },
      ...shown.flatMap((each) => visit(each, [...before, id])),
      ...(isWorthIt(others) && !isLast ? [rest('other', others)] : []),
      ...(isWorthIt(from.ended) && !isLast ? [rest('left', from.ended)] : []),
    ];
  };
  return visit(start, []);
}

function writeAction(step: Step | undefined): string {
  return `${step?.type} ${step?.path ?? step?.name ?? step?.kind}`;
}
