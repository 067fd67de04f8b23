import { moneyColumn } from '#contract/rows/add-money.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { asShown, type ReportSite, type ReportWarehouse } from '../ports.ts';
import { createBindings, instant, ofSite } from '../query/sql/rows.ts';

/** What to count: one goal, or payments from an amount up, in minor units of the site's currency. */
export type CountedNews = { readonly goal: string } | { readonly fromMinor: bigint };

/** What was accepted after an instant, and up to another. Milliseconds, UTC. */
type Window = { readonly after: number; readonly until: number };

/** How many there are, and the sum of the payments. */
type NewsCount = { readonly count: number; readonly minor: bigint };

/** What is older than this when it is accepted is no news, but an import. */
const NEWS_MAX_S = DAY_MS / 1_000;

/**
 * Counts goals or payments by when they were accepted. Bots reach no goals, trials are no payments, and payments without
 * an exchange rate have no amount to compare. Throws if the warehouse does not answer.
 */
export async function countNews(
  warehouse: Pick<ReportWarehouse, 'select'>,
  site: ReportSite,
  wanted: CountedNews,
  { after, until }: Window,
): Promise<NewsCount> {
  const { bind, params } = createBindings();
  const minor = moneyColumn('site_minor', asShown(site).shown?.place ?? 0);
  const isGoal = 'goal' in wanted;
  const [from, isOne, sum] = isGoal
    ? ['events', `type = 'goal' AND name = ${bind(wanted.goal, 'String')} AND bot_class = ''`, '0']
    : [
        'payments FINAL',
        `kind = 'payment' AND amount_minor > 0 AND ${minor} >= ${bind(String(wanted.fromMinor), 'Int64')}`,
        `sum(${minor})`,
      ];
  const earliest = instant(after - DAY_MS, bind);
  const sql = `
    SELECT count() AS count, toString(${sum}) AS minor FROM ${from}
    WHERE ${ofSite({ site }, bind)} AND ${isOne} AND occurred_at >= ${earliest}
      AND occurred_at >= accepted_at - INTERVAL ${NEWS_MAX_S} SECOND
      AND accepted_at > ${instant(after, bind)} AND accepted_at <= ${instant(until, bind)}`;
  const [row] = await warehouse.select<{ count: string; minor: string }>({ sql, params });
  return { count: Number(row?.count ?? 0), minor: BigInt(row?.minor ?? 0) };
}
