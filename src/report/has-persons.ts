import type { RecallingWarehouse } from './ports.ts';
import type { Question } from './question.ts';

/**
 * Whether a question about goals has to do with persons who are more than one visitor, as far as a look at
 * the site tells. Nothing for others: know-payments.ts tells those about money, and all else credits nothing.
 *
 * Why it is asked first: as in know-payments.ts.
 */
export async function hasPersons(
  warehouse: RecallingWarehouse,
  { site, metrics }: Question,
): Promise<Pick<Question, 'hasPersons'>> {
  const facts = new Set(
    metrics.flatMap((metric) => Object.values(metric.parts)).map(({ of }) => of),
  );
  if (facts.has('payments') || !facts.has('conversions')) return {};
  const rows = await warehouse.recall({
    sql: 'SELECT 1 FROM persons WHERE site_id = {site:String} LIMIT 1',
    params: { site: site.id },
  });
  return { hasPersons: rows.length > 0 };
}
