/** A transition count: how often paths start at a channel, move between two, or end at one. */
export type Transition =
  | { readonly of: 'start'; readonly to: string; readonly count: number }
  | { readonly of: 'step'; readonly from: string; readonly to: string; readonly count: number }
  | {
      readonly of: 'end';
      readonly from: string;
      readonly isBought: boolean;
      readonly count: number;
    };

/** The share of buyers lost without each channel, by channel. Unit: billionths. */
export type RemovalEffects = ReadonlyMap<string, number>;

/** Precise enough that rounding to whole numbers never changes a cent. */
const BILLION = 1_000_000_000;

/**
 * The removal effect of each channel in a first-order Markov chain: the share of buyers lost if
 * every visitor who reaches the channel left there.
 *
 * - Shape: every effect is 0 when nobody bought.
 * - Why no simulation: with the fundamental matrix N, a path reaches channel s with probability
 *   `N[start, s] / N[s, s]` and then buys with probability `B[s]`. Their product is the loss. The
 *   result is exact and deterministic.
 * - Why no pivoting: I − Q is diagonally dominant, because every path ends.
 * - Source: Anderl et al., *Mapping the customer journey* (2016); Kemeny & Snell, *Finite Markov
 *   Chains*, chapter 3.
 */
export function removalEffects(steps: readonly Transition[]): RemovalEffects {
  const channels = [...new Set(steps.flatMap(channelsOf))].toSorted(byText);
  const { starting, onward, buying } = toChain(steps, channels);
  const fundamental = invert(
    onward.map((row, i) => row.map((share, j) => (i === j ? 1 : 0) - share)),
  );
  const buys = fundamental.map((row) => dot(row, buying));
  const visits = channels.map((_, column) =>
    fundamental.reduce((sum, row, i) => sum + (starting[i] ?? 0) * (row[column] ?? 0), 0),
  );
  const all = dot(starting, buys);
  return new Map(
    channels.map((channel, at) => {
      const reaches = ratio(visits[at] ?? 0, fundamental[at]?.[at]);
      return [channel, Math.round(BILLION * ratio(reaches * (buys[at] ?? 0), all))];
    }),
  );
}

/** Transition probabilities: where paths start, and where each channel leads. */
function toChain(steps: readonly Transition[], channels: readonly string[]) {
  const places = new Map(channels.map((channel, index) => [channel, index]));
  const place = (channel: string) => places.get(channel) ?? -1;
  const starting = channels.map(() => 0);
  const leaving = channels.map(() => 0);
  const buying = channels.map(() => 0);
  const onward = channels.map(() => channels.map(() => 0));
  const add = (row: number[] | undefined, at: number, count: number) => {
    if (row !== undefined) row[at] = (row[at] ?? 0) + count;
  };
  for (const step of steps) {
    if (step.of === 'start') add(starting, place(step.to), step.count);
    else add(leaving, place(step.from), step.count);
    if (step.of === 'step') add(onward[place(step.from)], place(step.to), step.count);
    if (step.of === 'end' && step.isBought) add(buying, place(step.from), step.count);
  }
  const starts = starting.reduce((sum, count) => sum + count, 0);
  return {
    starting: starting.map((count) => ratio(count, starts)),
    onward: onward.map((row, at) => row.map((count) => ratio(count, leaving[at]))),
    buying: buying.map((count, at) => ratio(count, leaving[at])),
  };
}

function channelsOf(step: Transition): string[] {
  return [...(step.of === 'start' ? [] : [step.from]), ...(step.of === 'end' ? [] : [step.to])];
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function ratio(part: number, whole: number | undefined): number {
  return whole === undefined || whole === 0 ? 0 : part / whole;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

/** The inverse, by Gauss–Jordan elimination. */
function invert(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let at = 0; at < size; at += 1) {
    const own = rows[at] ?? [];
    const pivot = own[at] ?? 1;
    const scaled = own.map((value) => value / pivot);
    rows[at] = scaled;
    for (const [index, row] of rows.entries()) {
      const factor = row[at] ?? 0;
      if (index === at || factor === 0) continue;
      rows[index] = row.map((value, column) => value - factor * (scaled[column] ?? 0));
    }
  }
  return rows.map((row) => row.slice(size));
}
