import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { createGroupCommit } from '#storage/group-commit.ts';
import type { VisitorDirectory } from './ports.ts';
import { createTwoGenerations } from './two-generations.ts';

type VisitorName = { readonly siteId: string; readonly visitorId: string };

type Found = readonly (KnownVisitor | undefined)[];

type VisitorDirectoryOptions = {
  /** Each visitor's state in the warehouse, in the given order. */
  findVisitors(visitors: readonly VisitorName[]): Promise<Found>;
  /** Resolves when the warehouse has every event accepted before the call. */
  waitForShipping(): Promise<void>;
  /** Minimum number of cached visitors; the maximum is twice as many. */
  recentMax?: number;
};

const RECENT_MAX = 100_000;

/**
 * Finds recent visitors in memory and all others in the warehouse.
 *
 * Concurrent cache misses are coalesced into one query.
 */
export function createVisitorDirectory(options: VisitorDirectoryOptions): VisitorDirectory {
  const recent = createTwoGenerations<KnownVisitor>(options.recentMax ?? RECENT_MAX);
  const queries = createGroupCommit(options.findVisitors);

  async function ask(siteId: string, visitorId: string): Promise<KnownVisitor | undefined> {
    const found = await queries.add({ siteId, visitorId });
    const known = recent.find(siteId, visitorId); // A newer event may have updated the cache meanwhile.
    if (known?.hasPageview === true || found === undefined) return known;
    recent.put(siteId, visitorId, found);
    return found;
  }

  return {
    recall: recent.find,
    remember: recent.put,
    forgetAll: recent.clear,
    async find(siteId, visitorId, patience) {
      const known = recent.find(siteId, visitorId);
      if (known?.hasPageview === true) return known;
      const found = await ask(siteId, visitorId);
      if (found?.hasPageview === true || patience === 'once') return found;
      await options.waitForShipping();
      return ask(siteId, visitorId);
    },
  };
}
