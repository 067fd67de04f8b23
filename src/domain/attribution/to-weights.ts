import { assert } from '../assert.ts';
import { dataDriven } from './data-driven.ts';
import { firstNonDirect } from './first-non-direct.ts';
import { firstTouch } from './first-touch.ts';
import { lastNonDirect } from './last-non-direct.ts';
import { lastTouch } from './last-touch.ts';
import { linear } from './linear.ts';
import type { AttributionModel } from './models.ts';
import { positionBased } from './position-based.ts';
import type { RemovalEffects } from './removal-effects.ts';
import { timeDecay } from './time-decay.ts';
import type { Touch } from './touch.ts';

/**
 * How a model shares credit out among the touches of a path: whole-number weights, for `splitAmount`.
 *
 * - Shape: `path` as from `findPath`; `effects` are looked at by `data_driven` only.
 * - Throws on an empty path: what has no touch is nobody's, and never comes here.
 */
export function toWeights(
  model: AttributionModel,
  path: readonly Touch[],
  effects: RemovalEffects,
): number[] {
  assert(path.length > 0, 'a path has a touch');
  switch (model) {
    case 'first_touch':
      return firstTouch(path);
    case 'last_touch':
      return lastTouch(path);
    case 'first_non_direct':
      return firstNonDirect(path);
    case 'last_non_direct':
      return lastNonDirect(path);
    case 'linear':
      return linear(path);
    case 'position_based':
      return positionBased(path);
    case 'time_decay':
      return timeDecay(path);
    case 'data_driven':
      return dataDriven(path, effects);
  }
}
