import { toIsoOrNull } from '#domain/time/to-iso-or-null.ts';
import type { WalkStore } from '../history/ports.ts';
import type { ConnectionStore, Inbox } from '../ports.ts';
import { describeMissed } from './describe.ts';

type FaultPorts = Pick<ConnectionStore, 'listConnections'> &
  Pick<WalkStore, 'listWalks'> &
  Pick<Inbox, 'countInbox' | 'countMissed'>;

/** What is wrong with the connected providers of a site: what their webhooks missed, and what history cannot be read. */
export async function findPaymentFault(
  ledger: FaultPorts,
  siteId: string,
): Promise<string | undefined> {
  const faults: string[] = [];
  for (const { id, name, provider, lastEventAt } of await ledger.listConnections(siteId)) {
    // Counting all that is in the inbox takes a while, and mostly nothing is missed.
    const missed = await ledger.countMissed(id);
    const counts = missed > 0 ? await ledger.countInbox(id) : undefined;
    const asked = { provider, last_event_at: toIsoOrNull(lastEventAt) };
    const found = counts && describeMissed(asked, counts);
    const failed = (await ledger.listWalks(id))
      .filter(({ error, leftOut, endedAt }) => endedAt !== undefined && (error ?? leftOut))
      .map(({ kind, error, leftOut }) => `The ${kind} of ${name}: ${error ?? leftOut}`);
    faults.push(...(found === undefined ? [] : [found]), ...failed);
  }
  return faults.length > 0 ? faults.join(' ') : undefined;
}
