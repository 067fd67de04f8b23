import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { createGroupCommit } from '#storage/group-commit.ts';
import { createTwoGenerations } from './events/two-generations.ts';
import type { VisitorDirectory } from './ports.ts';

type VisitorName = { readonly siteId: string; readonly visitorId: string };

type Found = readonly (KnownVisitor | undefined)[];

/** Where visitors that are not in memory come from. */
export type VisitorDirectoryOptions = {
  /** What the warehouse knows of each visitor, in the order asked. */
  findVisitors(visitors: readonly VisitorName[]): Promise<Found>;
  /** Resolves when the warehouse has all that was accepted before. */
  waitForShipping(): Promise<void>;
  /** How many recent visitors are kept at least; twice as many at most. */
  recentMax?: number;
};

const RECENT_MAX = 100_000;

/**
 * Recent visitors from memory, all others from the warehouse.
 *
 * Why grouped: many misses at a time become one query.
 */
export function createVisitorDirectory(options: VisitorDirectoryOptions): VisitorDirectory {
  const recent = createTwoGenerations<KnownVisitor>(options.recentMax ?? RECENT_MAX);
  const queries = createGroupCommit(options.findVisitors);

  async function ask(siteId: string, visitorId: string): Promise<KnownVisitor | undefined> {
    const found = await queries.add({ siteId, visitorId });
    const known = recent.find(siteId, visitorId); // One who came back meanwhile is known better here.
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
