import type { QueryAnswer } from '#contract/query.ts';
import { NONE } from '#domain/row-labels.ts';
import type { Asked } from '../../api/query.ts';
import { PROPERTY } from '../../format/dimensions.ts';
import type { PanelChoice } from './choice.ts';
import { measureOf } from './choice.ts';
import { ROWS } from './rows.ts';
import { PANELS } from './tabs.ts';

/** A panel's order and columns. */
type Sorted = Pick<PanelChoice, 'measure' | 'sort' | 'direction'>;

/** A panel's query; ties are sorted by its first column, visitors in most. */
export function toAsked({ measure, sort, direction }: Sorted, dimension: string): Asked {
  const { metrics } = measureOf(measure);
  const [first] = metrics;
  const order: [string, 'asc' | 'desc'][] = [[sort, direction]];
  if (sort !== first) order.push([first, 'desc']);
  const filters = withValue(dimension);
  return {
    metrics: [...metrics],
    dimensions: [dimension],
    order_by: order,
    ...(filters.length > 0 && { filters }),
  };
}

/** The filter for events that have a property: those without would dwarf its values. */
export function withValue(dimension: string): unknown[][] {
  return dimension.startsWith(PROPERTY) ? [['is_not', dimension, [NONE]]] : [];
}

/** The query for a panel's first rows and their number. */
export function toFirstRows(asked: Asked): Asked {
  return { ...asked, pagination: { limit: ROWS + 1 }, include: { total_rows: true } };
}

/** How panels are sorted unless somebody sorts them. */
const BY_REVENUE: Sorted = { measure: 'revenue', sort: 'revenue', direction: 'desc' };

/** The dimensions of visits that panels show unless another tab is chosen. */
const OF_FIRST_TABS = PANELS.map(({ tabs: [first] }) => first)
  .filter(({ kind, dimension }) => kind === 'rows' && dimension.startsWith('visit:'))
  .map(({ dimension }) => dimension);

/**
 * The query for the rows of all panels in {@link OF_FIRST_TABS}, with the payments that tell how many are
 * unattributed.
 *
 * Why one: the credit for payments is most of the work, and the same for each of them.
 */
export const FIRST_TABS: Asked = {
  ...toAsked(BY_REVENUE, ''),
  metrics: [...measureOf('revenue').metrics, 'payments'],
  dimensions: OF_FIRST_TABS,
  separately: true,
};

/** Whether a panel's rows are among those of {@link FIRST_TABS}. */
export function isOfFirstTabs(choice: Sorted, dimension: string): boolean {
  const { measure, sort, direction } = BY_REVENUE;
  const isSorted = choice.sort === sort && choice.direction === direction;
  return choice.measure === measure && isSorted && OF_FIRST_TABS.includes(dimension);
}

/** The answer to {@link FIRST_TABS} as if it had one of its dimensions. */
export function onlyOf(dimension: string, { results, meta, query }: QueryAnswer): QueryAnswer {
  const own = results.filter((row) => row.dimensions[0] === dimension);
  return {
    results: own.map((row) => ({ ...row, dimensions: row.dimensions.slice(1) })),
    meta: { ...meta, total_rows: own.length },
    query,
  };
}
