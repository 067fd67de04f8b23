import type { ViewFilter } from '../../format/dimensions.ts';

/** The parameters of the list of payments, by the dimension that they filter by. */
const PARAMETERS: Readonly<Record<string, string>> = {
  'visit:channel': 'channel',
  'visit:source': 'source',
  'payment:product': 'product',
  'payment:provider': 'provider',
};

/** What the page's filters do to the list of payments, which knows a few of them. */
export function toPaymentFilters(filters: readonly ViewFilter[]) {
  const params: Record<string, string> = {};
  const ignored: ViewFilter[] = [];
  for (const filter of filters) {
    const name = PARAMETERS[filter.dimension];
    const [value = '', ...others] = filter.values;
    const isKnown = filter.operator === 'is' && others.length === 0 && value !== '(none)';
    if (name === undefined || !isKnown || name in params) ignored.push(filter);
    else params[name] = value;
  }
  return { params, ignored };
}
