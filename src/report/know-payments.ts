import type { ReportWarehouse } from './ports.ts';
import type { Question } from './question.ts';
import { createBindings } from './sql/bindings.ts';

/**
 * What a look at the site's payments tells a question about money, at any time; nothing for a question
 * that is not about money: then it makes no difference.
 *
 * Why it is asked first: looking up rates makes a statement three times as long, and most of a short
 * question's time is spent on reading it; and where nobody ever paid, no visits need be searched for payers.
 */
export async function knowPayments(
  warehouse: ReportWarehouse,
  { site, metrics }: Question,
): Promise<Pick<Question, 'isPaidInOneCurrency' | 'hasPayments'>> {
  const parts = metrics.flatMap((metric) => Object.values(metric.parts));
  if (parts.every(({ of }) => of !== 'payments')) return {};
  const { bind, params } = createBindings();
  const ofSite = `SELECT 1 FROM payments WHERE site_id = ${bind(site.id, 'String')}`;
  const isForeign = `currency != ${bind(site.currency, 'String')}`;
  const [row] = await warehouse.select<{ some: string; foreign: string }>({
    sql: `SELECT (SELECT count() FROM (${ofSite} LIMIT 1)) AS some,
        (SELECT count() FROM (${ofSite} AND ${isForeign} LIMIT 1)) AS foreign`,
    params,
  });
  return {
    hasPayments: row?.some !== '0',
    ...(row?.foreign === '0' && { isPaidInOneCurrency: true as const }),
  };
}
