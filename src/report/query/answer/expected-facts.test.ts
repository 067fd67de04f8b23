import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { SiteFacts } from '../plan/plan.ts';
import { createExpectedFacts } from './expected-facts.ts';

const FACTS: SiteFacts = {
  payments: true,
  costs: false,
  persons: false,
  visits: 10,
  money: {
    hasUnconverted: false,
    hasLate: false,
    hasUnconvertedCosts: false,
    ratesUntil: undefined,
  },
};

describe('expected facts', () => {
  /** The facts that answer a query, and those it started with, when a lookup finds these. */
  async function ask(
    expected: ReturnType<typeof createExpectedFacts>,
    found: SiteFacts,
    { key = 'site', fails = (_facts: SiteFacts): boolean => false } = {},
  ) {
    const begun: SiteFacts[] = [];
    let beganBeforeLook = false;
    const answer = await expected.use(
      key,
      async () => {
        beganBeforeLook = begun.length > 0;
        return found;
      },
      async (facts) => {
        begun.push(facts);
        if (fails(facts)) throw new Error('failed');
        return facts;
      },
    );
    return { answer, begun: begun.length, beganBeforeLook };
  }

  it('begin a query at once, the second time', async () => {
    const expected = createExpectedFacts();
    assert.deepEqual(await ask(expected, FACTS), {
      ...{ answer: FACTS, begun: 1, beganBeforeLook: false },
    });
    const { begun, beganBeforeLook } = await ask(expected, { ...FACTS, visits: 12 });
    assert.deepEqual({ begun, beganBeforeLook }, { begun: 1, beganBeforeLook: true });
    assert.equal((await ask(expected, FACTS, { key: 'another' })).beganBeforeLook, false);
  });

  const changes: readonly (readonly [string, Partial<SiteFacts>])[] = [
    ['a first person', { persons: true }],
    ['more visits than are counted exactly', { visits: 1_000_001 }],
    ['money without a rate', { money: { ...FACTS.money, hasUnconverted: true } }],
    ['an earlier record', { earliestAt: 5 }],
  ];
  for (const [what, change] of changes) {
    it(`count for nothing after ${what}`, async () => {
      const expected = createExpectedFacts();
      await ask(expected, FACTS);
      const changed = { ...FACTS, ...change };
      const fails = (facts: SiteFacts) => facts !== changed;
      assert.deepEqual(await ask(expected, changed, { fails }), {
        ...{ answer: changed, begun: 2, beganBeforeLook: true },
      });
    });
  }

  it('pass a failure on when nothing has changed', async () => {
    const expected = createExpectedFacts();
    await ask(expected, FACTS);
    await assert.rejects(ask(expected, FACTS, { fails: () => true }), /failed/);
  });

  it('are looked up for a query and, meanwhile, once for all that come after it', async () => {
    const expected = createExpectedFacts();
    const lookups: PromiseWithResolvers<SiteFacts>[] = [];
    const ask = (key = 'site') =>
      expected.use(
        key,
        () => {
          lookups.push(Promise.withResolvers());
          return (lookups.at(-1) as PromiseWithResolvers<SiteFacts>).promise;
        },
        async ({ visits }) => visits,
      );
    const first = ask();
    await setImmediate();
    const others = [ask(), ask(), ask('another')];
    await setImmediate();
    assert.equal(lookups.length, 2, 'the first, and that of another key');
    lookups[0]?.resolve({ ...FACTS, visits: 1 });
    assert.equal(await first, 1);
    await setImmediate();
    assert.equal(lookups.length, 3);
    lookups[1]?.resolve({ ...FACTS, visits: 2 });
    lookups[2]?.resolve({ ...FACTS, visits: 3 });
    assert.deepEqual(await Promise.all(others), [3, 3, 2]);
  });

  it('are looked up again after a lookup that failed', async () => {
    const expected = createExpectedFacts();
    const fails = () => Promise.reject(new Error('no warehouse'));
    const first = expected.use('site', fails, async () => 'never');
    await Promise.all([
      assert.rejects(first, /no warehouse/),
      assert.rejects(
        expected.use('site', fails, async () => 'never'),
        /no warehouse/,
      ),
    ]);
    assert.deepEqual((await ask(expected, FACTS)).answer, FACTS);
  });
});
