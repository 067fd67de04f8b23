import type { ReportWarehouse } from './ports.ts';
import type { Question } from './question.ts';

/**
 * Whether a question has to do with persons who are more than one visitor, as far as a look at the site
 * tells. True for a question that credits nothing: then it makes no difference.
 *
 * Why it is asked first: without them, which is how most sites begin, nothing is joined.
 */
export async function hasPersons(
  warehouse: ReportWarehouse,
  { site, metrics }: Question,
): Promise<boolean> {
  const parts = metrics.flatMap((metric) => Object.values(metric.parts));
  if (parts.every(({ of }) => of !== 'payments' && of !== 'conversions')) return true;
  const rows = await warehouse.select({
    sql: 'SELECT 1 FROM persons WHERE site_id = {site:String} LIMIT 1',
    params: { site: site.id },
  });
  return rows.length > 0;
}
