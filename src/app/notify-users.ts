import type { Accounts } from '#accounts/open-accounts.ts';
import type { Ledger } from '#ledger/open-ledger.ts';
import { askPatiently } from '#notify/ask-patiently.ts';
import { keepNotifying, type Notifier } from '#notify/keep-notifying.ts';
import type { Mailer } from '#notify/mailer.ts';
import { countNews } from '#report/live/count-news.ts';
import type { ReportWarehouse } from '#report/ports.ts';
import type { Reports } from '#report/reports/create-reports.ts';

/** The dependencies of summaries and alerts. */
type Parts = {
  readonly accounts: Accounts;
  readonly ledger: Pick<Ledger, 'listSites' | 'findDrops'>;
  readonly reports: Pick<Reports, 'breakdowns'>;
  readonly warehouse: Pick<ReportWarehouse, 'select'>;
  /** `ship` resolves when the warehouse has everything that was accepted before the call. */
  readonly journal: { ship(): Promise<void> };
  readonly mailer: Mailer | undefined;
  readonly baseUrl: string | undefined;
  readonly onFailure: (reason: string) => void;
};

/** Wires summaries and alerts to the stores of the web process. */
export function notifyUsers(parts: Parts): Notifier {
  const { accounts, ledger, journal, reports, warehouse, ...more } = parts;
  return keepNotifying({
    ...more,
    ...{ notices: accounts.notices, alerts: accounts.alerts },
    isMember: async (userId, siteId) =>
      (await accounts.members.findRole(userId, siteId)) !== undefined,
    listSites: ledger.listSites,
    findDrops: ledger.findDrops,
    ask: askPatiently(async (site, query) => {
      const answer = await reports.breakdowns.answer(site, query);
      if (answer.ok) return answer.value;
      throw new Error(answer.error.details[0]?.message ?? 'A query was refused.');
    }),
    async countNews(...wanted) {
      await journal.ship();
      return countNews(warehouse, ...wanted);
    },
    now: Date.now,
  });
}
