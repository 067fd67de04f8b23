import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { isFilterDimension } from '../../address/filter-dimensions.ts';
import type { Answered } from '../../api/query.ts';
import { nameDimension, OPERATOR_WORDS } from '../../format/dimensions.ts';
import { nameValue } from '../../format/values.ts';
import type { PaletteEntry } from './entries.ts';

/** The values that panels have loaded, each of which the palette filters by. */
export function listShownValues(answers: readonly Answered[], locale?: string): PaletteEntry[] {
  const pairs = answers.flatMap(listPairs).filter(([, value]) => value !== UNATTRIBUTED);
  const distinct = new Map(pairs.map((pair) => [pair.join(' '), pair]));
  return [...distinct.values()].map(([dimension, value]) => ({
    group: `${nameDimension(dimension)} ${OPERATOR_WORDS.is}`,
    label: nameValue(dimension, value, locale),
    goal: { dimension, value },
  }));
}

type Pair = readonly [dimension: string, value: string];

/** The dimension and value of each row, if filters take the dimension. */
function listPairs({ asked, results }: Answered): Pair[] {
  const { dimensions = [], separately = false } = asked;
  const [only = '', ...others] = dimensions;
  if (!separately && others.length > 0) return [];
  return results
    .map(
      ({ dimensions: [first = '', second = ''] }): Pair =>
        separately ? [first, second] : [only, first],
    )
    .filter(([dimension]) => isFilterDimension(dimension));
}
