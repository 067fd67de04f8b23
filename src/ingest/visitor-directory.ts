import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { createGroupCommit } from '#storage/group-commit.ts';
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
 * - Why two generations: the older half is dropped at once, which needs no bookkeeping per visitor.
 * - Why grouped: many misses at a time become one query.
 */
export function createVisitorDirectory(options: VisitorDirectoryOptions): VisitorDirectory {
  const recentMax = options.recentMax ?? RECENT_MAX;
  let young = createGeneration();
  let old = createGeneration();
  const queries = createGroupCommit(options.findVisitors);

  function recall(siteId: string, visitorId: string): KnownVisitor | undefined {
    return young.find(siteId, visitorId) ?? old.find(siteId, visitorId);
  }

  function remember(siteId: string, visitorId: string, visitor: KnownVisitor): void {
    if (young.size() >= recentMax) {
      old = young;
      young = createGeneration();
    }
    young.put(siteId, visitorId, visitor);
  }

  async function ask(siteId: string, visitorId: string): Promise<KnownVisitor | undefined> {
    const found = await queries.add({ siteId, visitorId });
    const recent = recall(siteId, visitorId); // A visitor who came back meanwhile is known better here.
    if (recent?.hasPageview === true || found === undefined) return recent;
    remember(siteId, visitorId, found);
    return found;
  }

  return {
    recall,
    remember,
    forgetAll() {
      young = createGeneration();
      old = createGeneration();
    },
    async find(siteId, visitorId, patience) {
      const known = recall(siteId, visitorId);
      if (known?.hasPageview === true) return known;
      const found = await ask(siteId, visitorId);
      if (found?.hasPageview === true || patience === 'once') return found;
      await options.waitForShipping();
      return ask(siteId, visitorId);
    },
  };
}

/** Visitors by site and id; two maps, as joining the two names costs more than the second look. */
function createGeneration() {
  const sites = new Map<string, Map<string, KnownVisitor>>();
  let size = 0;
  return {
    size: () => size,
    find: (siteId: string, visitorId: string) => sites.get(siteId)?.get(visitorId),
    put(siteId: string, visitorId: string, visitor: KnownVisitor): void {
      let visitors = sites.get(siteId);
      if (visitors === undefined) {
        visitors = new Map();
        sites.set(siteId, visitors);
      }
      size -= visitors.size;
      visitors.set(visitorId, visitor);
      size += visitors.size;
    },
  };
}
