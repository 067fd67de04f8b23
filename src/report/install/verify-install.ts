import type { InstallAnswer } from '#contract/sites/install.ts';
import type { ApiKey } from '#domain/site/api-key.ts';
import type { Site } from '#domain/site/site.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { type FindDrops, refusedHostsOf } from '#domain/visit/dropped-events.ts';
import type { ExplainedPayment, ExplainPayment } from '../payments/explain-payment.ts';
import type { ListPayments } from '../payments/list-payments.ts';
import type { ReportWarehouse } from '../ports.ts';
import { describeInstall } from './describe-install.ts';
import { findLastEvents } from './find-last-events.ts';

/** Finds out what is installed of a site, on a server with this URL. Throws if the warehouse does not answer. */
export type VerifyInstall = (site: Site, server: string) => Promise<InstallAnswer>;

/** The keys and the dropped events of a site. */
export interface InstallLedger {
  listKeys(siteId: string): Promise<readonly ApiKey[]>;
  readonly findDrops: FindDrops;
}

type VerifyDeps = {
  readonly warehouse: Pick<ReportWarehouse, 'select'>;
  readonly ledger: InstallLedger;
  readonly listPayments: ListPayments;
  readonly explainPayment: ExplainPayment;
  readonly now: () => number;
};

/** Creates what verifies an installation. */
export function createVerifyInstall(deps: VerifyDeps): VerifyInstall {
  const { warehouse, ledger, listPayments, explainPayment } = deps;

  async function findPayment(
    site: Site,
    state: 'attributed' | undefined,
  ): Promise<ExplainedPayment | undefined> {
    const { results } = await listPayments.list({ site, filter: {}, state, limit: 1 });
    const id = results[0]?.transaction_id;
    const explained = id === undefined ? undefined : await explainPayment(site, { id });
    return explained?.ok === true ? explained.value : undefined;
  }

  return async (site, server) => {
    const now = deps.now();
    const [events, keys, drops, latest] = await Promise.all([
      findLastEvents(warehouse, site, now),
      ledger.listKeys(site.id),
      ledger.findDrops(site.id, { from: now - DAY_MS, to: now + DAY_MS }),
      findPayment(site, undefined),
    ]);
    const isFine = latest === undefined || latest.why === undefined;
    const attributed = isFine ? latest : await findPayment(site, 'attributed');
    return describeInstall({
      ...{ site, server, now, keys, latest, attributed },
      lastPageview: events.find(({ type }) => type === 'pageview'),
      lastGoal: events.find(({ type }) => type === 'goal'),
      refusedHosts: refusedHostsOf(drops.samples, site.allowedHosts),
    });
  };
}
