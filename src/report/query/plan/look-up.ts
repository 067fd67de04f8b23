import type { ReportWarehouse } from '../../ports.ts';
import type { Query, SiteFacts } from '../query.ts';
import { createBindings } from '../sql/bindings.ts';
import { within } from '../sql/rows.ts';

/**
 * What the site has, as a statement then need not look for the rest: most sites are paid in one
 * currency, and many know no persons.
 */
export async function lookUp(
  warehouse: Pick<ReportWarehouse, 'select'>,
  query: Query,
): Promise<SiteFacts> {
  const { bind, params } = createBindings();
  const ofSite = `site_id = ${bind(query.site.id, 'String')}`;
  const [row] = await warehouse.select<Row>({
    sql: `SELECT
      (SELECT groupUniqArray(2)(currency) FROM payments WHERE ${ofSite}) AS currencies,
      (SELECT count() FROM (SELECT 1 FROM persons WHERE ${ofSite} LIMIT 1)) AS persons,
      (SELECT count() FROM visits WHERE ${within('visit_started_at', query, bind)}) AS visits`,
    params,
  });
  const currencies = row?.currencies ?? [];
  return {
    payments: currencies.length > 0,
    foreignMoney: currencies.some((currency) => currency !== query.site.currency),
    persons: Number(row?.persons) > 0,
    visits: Number(row?.visits),
  };
}

type Row = {
  readonly currencies: readonly string[];
  readonly persons: string;
  readonly visits: string;
};
