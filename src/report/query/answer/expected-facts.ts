import { isDeepStrictEqual } from 'node:util';
import type { SiteFacts } from '../plan/plan.ts';
import { isExact } from '../plan/plan-fact.ts';

/** How many sites' facts are cached, each for one period. */
const EXPECTED_MAX = 200;

/** The facts that earlier queries found. */
export interface ExpectedFacts {
  /**
   * Answers with the facts that `lookUp` finds. If facts are cached under this key, `answerBy` starts with them at
   * once, while they are looked up again; its answer counts only if they are unchanged.
   *
   * Why: a lookup takes as long as planning a statement, and facts rarely change. Queries that a page sends at once
   * share lookups.
   */
  use<Answer>(
    key: string,
    lookUp: () => Promise<SiteFacts>,
    answerBy: (facts: SiteFacts) => Promise<Answer>,
  ): Promise<Answer>;
}

/** No facts are known yet. */
export function createExpectedFacts(): ExpectedFacts {
  const knownByKey = new Map<string, Known>();

  return {
    async use(key, lookUp, answerBy) {
      if (knownByKey.size > EXPECTED_MAX) knownByKey.clear(); // They are found again with the next queries.
      const known = knownByKey.getOrInsertComputed(key, nothingKnown);
      const expected = known.found;
      const early = expected && answerBy(expected);
      early?.catch(() => {}); // Reported below, if its answer counts.
      const facts = await lookUpOnce(known, lookUp);
      return early && isPlannedAlike(expected, facts) ? early : answerBy(facts);
    },
  };
}

/** The last facts found, and the last lookup, which may wait for the one before. */
type Known = { found?: SiteFacts; last: Promise<unknown>; isWaiting: boolean };

const nothingKnown = (): Known => ({ last: Promise.resolve(), isWaiting: false });

/** Callers during a lookup share the next one, so that all get facts from after their call. */
function lookUpOnce(known: Known, lookUp: () => Promise<SiteFacts>): Promise<SiteFacts> {
  if (!known.isWaiting) known.last = known.last.then(begin, begin);
  known.isWaiting = true;
  return known.last as Promise<SiteFacts>;
  async function begin(): Promise<SiteFacts> {
    known.isWaiting = false;
    known.found = await lookUp();
    return known.found;
  }
}

/** Whether facts lead to the same plan: for visits, only whether they are counted exactly matters. */
function isPlannedAlike(expected: SiteFacts | undefined, found: SiteFacts): boolean {
  if (expected === undefined || isExact(expected) !== isExact(found)) return false;
  return isDeepStrictEqual({ ...expected, visits: 0 }, { ...found, visits: 0 });
}
