import { isDeepStrictEqual } from 'node:util';
import { isExact, type SiteFacts } from './plan-fact.ts';

/** How many sites' facts are remembered, each of one period. */
const EXPECTED_MAX = 200;

/** The facts that earlier queries found. */
export interface ExpectedFacts {
  /**
   * The answer by the facts that `lookUp` finds. If facts are known by this key, `answerBy` starts at once with
   * those, while they are looked up again; its answer counts only if they have not changed.
   *
   * Why: a look-up takes as long as planning a statement, and facts rarely change.
   */
  use<Answer>(
    key: string,
    lookUp: () => Promise<SiteFacts>,
    answerBy: (facts: SiteFacts) => Promise<Answer>,
  ): Promise<Answer>;
}

/** No facts are known yet. */
export function createExpectedFacts(): ExpectedFacts {
  const factsByKey = new Map<string, SiteFacts>();

  function remember(key: string, facts: SiteFacts): void {
    factsByKey.delete(key);
    factsByKey.set(key, facts);
    const [oldest] = factsByKey.keys();
    if (factsByKey.size > EXPECTED_MAX && oldest !== undefined) factsByKey.delete(oldest);
  }

  return {
    async use(key, lookUp, answerBy) {
      const expected = factsByKey.get(key);
      const early = expected && answerBy(expected);
      early?.catch(() => {}); // Reported below, if its answer counts.
      const facts = await lookUp();
      remember(key, facts);
      return early && isPlannedAlike(expected, facts) ? early : answerBy(facts);
    },
  };
}

/** Whether facts lead to the same plan: of visits it only matters whether they are counted exactly. */
function isPlannedAlike(expected: SiteFacts | undefined, found: SiteFacts): boolean {
  if (expected === undefined || isExact(expected) !== isExact(found)) return false;
  return isDeepStrictEqual({ ...expected, visits: 0 }, { ...found, visits: 0 });
}
