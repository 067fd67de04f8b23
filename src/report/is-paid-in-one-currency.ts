import type { ReportWarehouse } from './ports.ts';
import type { Question } from './question.ts';
import { createBindings } from './sql/bindings.ts';

/**
 * Whether a question about money has to do with the site's own currency only. False for one that is
 * not about money: then it makes no difference.
 *
 * Why it is asked first: looking up rates makes a statement three times as long, and most of a short
 * question's time is spent on reading it.
 */
export async function isPaidInOneCurrency(
  warehouse: ReportWarehouse,
  { site, metrics }: Question,
): Promise<boolean> {
  const parts = metrics.flatMap((metric) => Object.values(metric.parts));
  if (parts.every(({ of }) => of !== 'payments')) return false;
  const { bind, params } = createBindings();
  const rows = await warehouse.select({
    sql: `SELECT 1 FROM payments
      WHERE site_id = ${bind(site.id, 'String')} AND currency != ${bind(site.currency, 'String')}
      LIMIT 1`,
    params,
  });
  return rows.length === 0;
}
