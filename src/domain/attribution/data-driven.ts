import type { RemovalEffects } from './removal-effects.ts';
import type { Touch } from './touch.ts';

/**
 * To each channel of the path in proportion to its removal effect, shared equally by its touches;
 * where no channel of the path has any, the same to each touch.
 *
 * Why a channel that comes twice does not count twice: its removal breaks the path once.
 */
export function dataDriven(path: readonly Touch[], effects: RemovalEffects): number[] {
  const weights = path.map(({ channel }) => {
    const touches = path.filter((other) => other.channel === channel).length;
    return Math.floor((effects.get(channel) ?? 0) / touches);
  });
  return weights.some((weight) => weight > 0) ? weights : path.map(() => 1);
}
