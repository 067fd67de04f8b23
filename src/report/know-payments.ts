import type { RecallingWarehouse } from './ports.ts';
import type { Question } from './question.ts';
import { createBindings } from './sql/bindings.ts';

/** What a look at payments and persons tells a question, and the highest versions there are of both. */
export type KnownPayments = {
  readonly known: Pick<Question, 'isPaidInOneCurrency' | 'hasPayments' | 'hasPersons'>;
  readonly versions?: { readonly payments: string; readonly persons: string };
};

/**
 * What a look at the site's payments and persons tells a question about money, at any time; nothing for a
 * question that is not about money: then it makes no difference.
 *
 * Why it is asked first: looking up rates makes a statement three times as long, and most of a short
 * question's time is spent on reading it; where nobody ever paid, no visits need be searched for payers; and
 * without persons, which is how most sites begin, nothing is joined.
 */
export async function knowPayments(
  warehouse: RecallingWarehouse,
  { site, metrics }: Question,
): Promise<KnownPayments> {
  const parts = metrics.flatMap((metric) => Object.values(metric.parts));
  if (parts.every(({ of }) => of !== 'payments')) return { known: {} };
  const { bind, params } = createBindings();
  const ofSite = `WHERE site_id = ${bind(site.id, 'String')}`;
  const [[paid], [person]] = await Promise.all([
    warehouse.recall<{ version: string; currencies: [string, string] }>({
      sql: `SELECT toString(max(version)) AS version, [min(currency), max(currency)] AS currencies
        FROM payments ${ofSite}`,
      params,
    }),
    warehouse.recall<{ version: string }>({
      sql: `SELECT toString(max(version)) AS version FROM persons ${ofSite}`,
      params,
    }),
  ]);
  const [payments, persons] = [paid?.version ?? '0', person?.version ?? '0'];
  const hasPayments = payments !== '0';
  const isForeign = paid?.currencies.some((currency) => currency !== site.currency);
  return {
    known: {
      hasPayments,
      hasPersons: persons !== '0',
      ...((!hasPayments || isForeign === false) && { isPaidInOneCurrency: true as const }),
    },
    versions: { payments, persons },
  };
}
