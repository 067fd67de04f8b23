import type { AttributionModel } from '#domain/attribution/models.ts';
import type { RemovalEffects } from '#domain/attribution/removal-effects.ts';
import { HALF_LIFE_MS, LAST_TOUCH_WEIGHT } from '#domain/attribution/time-decay.ts';
import type { Bind } from '../dimension.ts';

/** The models that look at the whole path. */
export type SplittingModel = Exclude<AttributionModel, 'first_touch'>;

/** Which column of a touch says what, in the tuples of a `touch_path`. */
export const TOUCH = { at: 1, visit: 2, isDirect: 3, channelNumber: 4, firstValue: 5 } as const;

/**
 * SQL of the weights of the touches of a `touch_path` that is not empty: the same whole numbers as
 * `toWeights` of the domain gives.
 *
 * - Shape: a touch's channel is told by its number among the effects' channels, from 1; 0 for others.
 */
export function weightsSql(
  model: SplittingModel,
  effects: RemovalEffects | undefined,
  bind: Bind,
): string {
  const isNamed = `touch -> touch.${TOUCH.isDirect} = 0`;
  switch (model) {
    case 'last_touch':
      return only('length(touch_path)');
    case 'first_non_direct':
      return only(`greatest(arrayFirstIndex(${isNamed}, touch_path), 1)`);
    case 'last_non_direct':
      return only(
        `if(arrayExists(${isNamed}, touch_path), arrayLastIndex(${isNamed}, touch_path), length(touch_path))`,
      );
    case 'linear':
      return EQUAL;
    case 'position_based':
      return `if(length(touch_path) <= 2, ${EQUAL}, arrayMap(
        place -> toInt64(if(place = 1 OR place = length(touch_path), 2 * (length(touch_path) - 2), 1)),
        arrayEnumerate(touch_path)))`;
    case 'time_decay':
      return `arrayMap(touch -> toInt64(floor(${LAST_TOUCH_WEIGHT} *
        exp2((touch.${TOUCH.at} - tupleElement(touch_path[-1], ${TOUCH.at})) / ${HALF_LIFE_MS}))), touch_path)`;
    case 'data_driven':
      return byEffects([...(effects?.values() ?? [])], bind);
  }
}

const EQUAL = 'arrayMap(touch -> toInt64(1), touch_path)';

function only(place: string): string {
  return `arrayMap(place -> toInt64(place = ${place}), arrayEnumerate(touch_path))`;
}

/** How often a channel comes: how often up to a touch, and from it on, the touch itself once. */
function byEffects(effects: readonly number[], bind: Bind): string {
  const byNumber = bind([0, ...effects], 'Array(Int64)');
  const channels = `arrayMap(touch -> touch.${TOUCH.channelNumber}, touch_path)`;
  const upTo = `arrayEnumerateUniq(${channels})`;
  const fromOn = `arrayReverse(arrayEnumerateUniq(arrayReverse(${channels})))`;
  const weights = `arrayMap(
    (channel, up_to, from_on) -> intDiv(${byNumber}[channel + 1], toInt64(up_to + from_on - 1)),
    ${channels}, ${upTo}, ${fromOn})`;
  return `if(arraySum(${weights}) = 0, ${EQUAL}, ${weights})`;
}
