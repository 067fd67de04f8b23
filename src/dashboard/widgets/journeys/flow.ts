import { sankey, sankeyLeft, sankeyLinkHorizontal } from 'd3-sankey';
import type { JourneysAnswer } from '#contract/reports/journeys.ts';
import type { Step } from '#contract/step.ts';

/** One path of an answer. */
export type Path = JourneysAnswer['results'][number];

/** Those on their way to a place, the ones who left there, or those who took rarer ways. */
export type Kind = 'start' | 'step' | 'left' | 'other';

/** A place in the picture: how many came there, and how. Lengths in pixels. */
export type Place = {
  readonly id: string;
  readonly kind: Kind;
  /** The steps from the start; for `left` and `other` those of the place that they went on from. */
  readonly path: readonly Step[];
  readonly people: number;
  readonly share: number | null;
  readonly revenue: Path['revenue'] | undefined;
  /** The ids of the places before it. */
  readonly before: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly height: number;
};

/** What flows from one place to the next: the line's shape and its width. */
export type Stream = {
  readonly to: string;
  readonly kind: Kind;
  readonly shape: string;
  readonly width: number;
};

/** A laid out picture. */
export type Flow = {
  readonly height: number;
  readonly places: readonly Place[];
  readonly streams: readonly Stream[];
};

/** Of those who began; what is smaller is drawn with the rarer ways. */
const SHARE_MIN = 0.03;
/** How high all who began are, in pixels. */
const HEIGHT_OF_ALL = 220;
/** Between two places: room for the two lines of text at each. */
const GAP = 38;
/** How wide a place is, in pixels. */
export const PLACE_WIDTH = 8;

type Drawn = Omit<Place, 'x' | 'y' | 'height'>;

/**
 * The paths as a tree whose branches are as wide as many took them, from left to right.
 *
 * - Shape: `columns` are as wide as each other, the last one with as much room for its text as the rest.
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
      const target = link.target as unknown as Place;
      const shape = toShape(link) ?? '';
      return { to: target.id, kind: target.kind, shape, width: Math.max(1, link.width ?? 0) };
    }),
  };
}

/** All places of the picture, each before those that come after it. */
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
  const visit = (from: Path, before: readonly string[]): Drawn[] => {
    const { path, reached: people, share, revenue } = from;
    const id = ['start', ...path.map(writeAction)].join('\n');
    const next = further(from);
    const shown = next.filter(({ reached }) => reached >= all * SHARE_MIN);
    const rare = next.filter((each) => !shown.includes(each));
    const others = from.other + rare.reduce((sum, { reached }) => sum + reached, 0);
    const isWorthIt = (count: number) => count >= all * SHARE_MIN;
    const rest = (kind: 'left' | 'other', count: number): Drawn => ({
      ...{ id: `${id}\n${kind}`, kind, path, people: count, share: (count / all) * 100 },
      ...{ revenue: undefined, before: [...before, id] },
    });
    return [
      { id, kind: path.length === 0 ? 'start' : 'step', path, people, share, revenue, before },
      ...shown.flatMap((each) => visit(each, [...before, id])),
      // Where none of the ways on is worth a place, neither are all of them together.
      ...(isWorthIt(others) && (shown.length > 0 || path.length === 0)
        ? [rest('other', others)]
        : []),
      ...(isWorthIt(from.ended) && before.length + 1 < columns ? [rest('left', from.ended)] : []),
    ];
  };
  return visit(start, []);
}

function writeAction(step: Step | undefined): string {
  return `${step?.type} ${step?.path ?? step?.name ?? step?.kind}`;
}
