/** The drawing's height: the same at every width and while loading. */
export const CHART_HEIGHT = 268;
/** Room above the plot for notes, and below it for time ticks. */
const TOP = 20;
const BOTTOM = 28;
const CHARACTER_WIDTH = 7.2;
const TICK_GAP = 14;

/** The drawing's layout, in pixels. */
export type Layout = {
  readonly width: number;
  /** The edges of the plot itself. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The width of a bucket and of its bar. */
  readonly band: number;
  readonly bar: number;
};

/** The layout for a width, a bucket count, and both axes' longest labels. */
export function toLayout(
  width: number,
  count: number,
  longest: { readonly left: number; readonly right: number },
): Layout {
  const left = Math.max(24, longest.left * CHARACTER_WIDTH + TICK_GAP);
  const right = Math.max(width - longest.right * CHARACTER_WIDTH - TICK_GAP, left + 1);
  const band = (right - left) / Math.max(count, 1);
  const bar = Math.min(band > 4 ? Math.max(band * 0.66, 3) : band * 0.8, 48);
  return { width, left, right, top: TOP, bottom: CHART_HEIGHT - BOTTOM, band, bar };
}

/** The middle of a bucket. */
export function middleOf({ left, band }: Layout, index: number): number {
  return left + (index + 0.5) * band;
}

/** The bucket under `x`; outside the plot, the nearest. */
export function bucketAt({ left, band }: Layout, x: number, count: number): number {
  return Math.min(Math.max(Math.floor((x - left) / band), 0), Math.max(count - 1, 0));
}

/** Where to put a box beside the cursor, within the drawing and clear of the cursor. */
export function besideCursor(layout: Layout, x: number, boxWidth: number): number {
  const gap = 12;
  const isLeft = x > layout.width / 2;
  const start = isLeft ? x - gap - boxWidth : x + gap;
  return Math.min(Math.max(start, 0), Math.max(layout.width - boxWidth, 0));
}
