import type { AttributionModel } from '#domain/attribution/models.ts';
import type { RemovalEffects } from '#domain/attribution/removal-effects.ts';
import { HALF_LIFE_MS, LAST_TOUCH_WEIGHT } from '#domain/attribution/touch-times.ts';
import type { Bind } from '../../../dimension.ts';

/** The positions of a touch's elements in the tuples of a `touch_path`. */
export const TOUCH = { at: 1, visit: 2, isDirect: 3, channelNumber: 4, firstValue: 5 } as const;

/**
 * SQL for the weights of the touches of a non-empty `touch_path`: the same whole numbers as `toWeights` of the
 * domain.
 *
 * - Shape: a touch has its channel's number, from 1, among the channels with effects; 0 for others.
 */
export function weightsSql(
  model: AttributionModel,
  effects: RemovalEffects | undefined,
  bind: Bind,
): string {
  switch (model) {
    case 'first_touch':
    case 'last_touch':
    case 'first_non_direct':
    case 'last_non_direct':
      return `arrayMap(place -> toInt64(place = ${PLACES[model]}), arrayEnumerate(touch_path))`;
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

const IS_NAMED = `touch -> touch.${TOUCH.isDirect} = 0`;

const PLACES: Readonly<Partial<Record<AttributionModel, string>>> = {
  first_touch: '1',
  last_touch: 'length(touch_path)',
  first_non_direct: `greatest(arrayFirstIndex(${IS_NAMED}, touch_path), 1)`,
  last_non_direct: `if(arrayExists(${IS_NAMED}, touch_path), arrayLastIndex(${IS_NAMED}, touch_path), length(touch_path))`,
};

/** Whether a model distinguishes direct touches. */
export function tellsDirect(model: AttributionModel): boolean {
  return model.endsWith('_non_direct');
}

const EQUAL = 'arrayMap(touch -> toInt64(1), touch_path)';

/** A channel's occurrences: those up to a touch, and those from it on; the touch itself counts once. */
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
