import { assert } from '#domain/assert.ts';
import type { AttributionModel } from '#domain/attribution/models.ts';
import type { RemovalEffects } from '#domain/attribution/removal-effects.ts';
import {
  HALF_LIFE_MS,
  LAST_TOUCH_WEIGHT,
  LATE_TOUCH_MAX_MS,
} from '#domain/attribution/touch-times.ts';
import { DAY_MS } from '#domain/time/durations.ts';

/**
 * A visit before a payment or goal, as much of it as attribution models look at.
 *
 * - Units: `at` in milliseconds since 1970, UTC.
 */
export type Touch = {
  readonly at: number;
  /** Nothing tells where the visit came from. */
  readonly isDirect: boolean;
  /** What `data_driven` looks at; never empty. */
  readonly channel: string;
};

/**
 * How a model shares credit out among the touches of a path: whole-number weights, for `splitAmount`.
 * The reference that the report's SQL must agree with.
 *
 * - Shape: `path` as from `findPath`; only `data_driven` uses `effects`.
 * - Throws on an empty path: what has no touch has no credit, and never comes here.
 */
export function toWeights(
  model: AttributionModel,
  path: readonly Touch[],
  effects: RemovalEffects,
): number[] {
  assert(path.length > 0, 'a path has a touch');
  const last = path.length - 1;
  const firstForeign = path.findIndex((touch) => !touch.isDirect);
  const lastForeign = path.findLastIndex((touch) => !touch.isDirect);
  const allTo = (wanted: number) => path.map((_, index) => (index === wanted ? 1 : 0));
  switch (model) {
    case 'first_touch':
      return allTo(0);
    case 'last_touch':
      return allTo(last);
    case 'first_non_direct':
      return allTo(Math.max(firstForeign, 0));
    case 'last_non_direct':
      return allTo(lastForeign < 0 ? last : lastForeign);
    case 'linear':
      return path.map(() => 1);
    case 'position_based':
      return positionBased(path);
    case 'time_decay':
      return timeDecay(path);
    case 'data_driven':
      return dataDriven(path, effects);
  }
}

/**
 * 40 % to the first touch, 40 % to the last, and 20 % shared equally by those between. A lone touch
 * takes all; two take half each.
 *
 * - Units: whole numbers. `2n : 1 : … : 1 : 2n`, with n touches between, is 40 : 20 : 40 exactly.
 */
function positionBased(path: readonly Touch[]): number[] {
  const between = path.length - 2;
  if (between <= 0) return path.map(() => 1);
  return path.map((_, index) => (index === 0 || index === path.length - 1 ? 2 * between : 1));
}

/**
 * To each touch half as much as to one seven days later.
 *
 * - Units: whole numbers, against the path's last touch: only proportions count, and what lies
 *   seven months before it gets nothing at all.
 */
function timeDecay(path: readonly Touch[]): number[] {
  const lastAt = path.at(-1)?.at ?? 0;
  return path.map(({ at }) => Math.floor(LAST_TOUCH_WEIGHT * 2 ** ((at - lastAt) / HALF_LIFE_MS)));
}

/**
 * To each channel of the path in proportion to its removal effect, shared equally by its touches;
 * where no channel of the path has any, the same to each touch.
 *
 * Why a channel that comes twice does not count twice: its removal breaks the path once.
 */
function dataDriven(path: readonly Touch[], effects: RemovalEffects): number[] {
  const weights = path.map(({ channel }) => {
    const touches = path.filter((other) => other.channel === channel).length;
    return Math.floor((effects.get(channel) ?? 0) / touches);
  });
  return weights.some((weight) => weight > 0) ? weights : path.map(() => 1);
}

/**
 * The touches that credit for a payment or goal is shared among, the earliest first: those within the
 * lookback window, else the first that began within ten minutes after it, else none.
 *
 * - Shape: `touches` of one person in any order; of several at the same millisecond the first given
 *   counts.
 * - Units: `creditAt` in milliseconds; days of 24 hours, null for all history.
 * - Source: docs/decisions/0005-a-visit-just-after-the-payment-may-be-credited.md.
 */
export function findPath<T extends { readonly at: number }>(
  touches: readonly T[],
  creditAt: number,
  lookbackDays: number | null,
): readonly T[] {
  const windowAt = lookbackDays === null ? 0 : creditAt - lookbackDays * DAY_MS;
  const inOrder = touches
    .toSorted((a, b) => a.at - b.at)
    .filter((touch, index, all) => touch.at !== all[index - 1]?.at);
  const before = inOrder.filter(({ at }) => at >= windowAt && at <= creditAt);
  if (before.length > 0) return before;
  return inOrder
    .filter(({ at }) => at > creditAt && at <= creditAt + LATE_TOUCH_MAX_MS)
    .slice(0, 1);
}
