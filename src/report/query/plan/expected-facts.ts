import { isDeepStrictEqual } from 'node:util';
import { isExact, type SiteFacts } from './plan-fact.ts';

/** How many sites' facts are cached, each for one period. */
const EXPECTED_MAX = 200;

/** The facts that earlier queries found. */
export interface ExpectedFacts {
  /**
   * Answers with the facts that `lookUp` finds. If facts are cached under this key, `answerBy` starts with them at
   * once, while they are looked up again; its answer counts only if they are unchanged.
   *
   * Why: a lookup takes as long as planning a statement, and facts rarely change.
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

/** Whether facts lead to the same plan: for visits, only whether they are counted exactly matters. */
function isPlannedAlike(expected: SiteFacts | undefined, found: SiteFacts): boolean {
  if (expected === undefined || isExact(expected) !== isExact(found)) return false;
  return isDeepStrictEqual({ ...expected, visits: 0 }, { ...found, visits: 0 });
}
