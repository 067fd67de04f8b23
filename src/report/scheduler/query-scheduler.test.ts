import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UnavailableError } from '#domain/unavailable.ts';
import type { Stops } from '../ports.ts';
import { createQueryScheduler } from './query-scheduler.ts';

const SITE = { id: 'a', timezone: 'UTC', currency: 'USD' };
const turnsOf = (turns = createQueryScheduler()) => turns.ofKind();
const isBusy = (error: unknown) => error instanceof UnavailableError;

/** A query for that site's days, named by its filter. */
function query(name: string, { site = SITE, how }: { site?: typeof SITE; how?: unknown } = {}) {
  return { site, sent: { site_id: site.id, date_range: '7d', filters: [[name, how]] } };
}

/** Work that answers when told to, with its number in order of start. */
function createWork() {
  type Begun = PromiseWithResolvers<number> & { readonly stops: Stops | undefined };
  const begun: Begun[] = [];
  return {
    begun,
    work(stops?: Stops) {
      const answer = Promise.withResolvers<number>();
      begun.push({ ...answer, stops });
      return answer.promise;
    },
    end(index: number) {
      begun[index]?.resolve(index);
    },
  };
}

/** All turns, taken. */
function takeAll(take: ReturnType<typeof turnsOf>, { work }: ReturnType<typeof createWork>) {
  return ['a', 'b', 'c', 'd'].map((name) => take(query(name), work));
}

describe('the turns of queries', () => {
  it('are four of a site at once, of all kinds together', async () => {
    const works = createWork();
    const turns = createQueryScheduler();
    const taken = takeAll(turnsOf(turns), works);
    const last = turnsOf(turns)(query('e'), works.work);
    assert.equal(works.begun.length, 4);
    works.end(1);
    await taken[1];
    assert.equal(works.begun.length, 5);
    works.end(4);
    assert.equal(await last, 4);
  });
  it('answer once who asks the same while it waits, and anew who asks when it has begun', async () => {
    const works = createWork();
    const take = turnsOf();
    const taken = takeAll(take, works);
    const [same, again] = [take(query('e'), works.work), take(query('e'), works.work)];
    works.end(0);
    await taken[0];
    assert.equal(works.begun.length, 5);
    const later = take(query('e'), works.work);
    works.end(4);
    assert.deepEqual(await Promise.all([same, again]), [4, 4]);
    await new Promise(setImmediate);
    works.end(5);
    assert.equal(await later, 5);
  });
  it('join only what is the same: kind, site with its settings, query, and how it is asked', async () => {
    const works = createWork();
    const turns = createQueryScheduler();
    const take = turnsOf(turns);
    takeAll(take, works);
    const inEuros = { ...SITE, currency: 'EUR' };
    const answers = [
      take(query('e'), works.work),
      take(query('f'), works.work),
      take(query('e', { site: inEuros }), works.work),
      take(query('e', { how: 'Parquet' }), works.work),
      turnsOf(turns)(query('e'), works.work),
    ];
    for (let index = 0; index < 9; index += 1) {
      works.end(index);
      await new Promise(setImmediate);
    }
    assert.deepEqual(await Promise.all(answers), [4, 5, 6, 7, 8]);
  });
  it('report a failure to all who wait, and ask anew after it', async () => {
    const works = createWork();
    const take = turnsOf();
    const taken = takeAll(take, works);
    const joined = [take(query('e'), works.work), take(query('e'), works.work)];
    works.end(0);
    await taken[0];
    works.begun[4]?.reject(new Error('away'));
    await Promise.all(joined.map((answer) => assert.rejects(answer, /away/)));
    const next = take(query('e'), works.work);
    works.end(5);
    assert.equal(await next, 5);
  });
  it('are kept for sites that ask little beside one that asks much', async () => {
    const works = createWork();
    const take = turnsOf();
    takeAll(take, works);
    void take(query('e'), works.work);
    const answers = ['b', 'c'].map((id) => take(query('e', { site: { ...SITE, id } }), works.work));
    assert.equal(works.begun.length, 6);
    for (const index of [4, 5]) works.end(index);
    assert.deepEqual(await Promise.all(answers), [4, 5]);
    assert.equal(works.begun.length, 6); // That site still has four.
  });
  it('are waited for as long by who joins as by who was first', async () => {
    const works = createWork();
    const take = turnsOf(createQueryScheduler(200));
    const taken = takeAll(take, works);
    const first = assert.rejects(take(query('e'), works.work), isBusy);
    await new Promise((resolve) => setTimeout(resolve, 120));
    const joined = take(query('e'), works.work);
    await first;
    works.end(0);
    await taken[0];
    assert.equal(works.begun.length, 5);
    await new Promise((resolve) => setTimeout(resolve, 250)); // It has started, so nobody gives up.
    works.end(4);
    assert.equal(await joined, 4);
  });
  it('are left by all who waited too long, and asked for anew', async () => {
    const works = createWork();
    const take = turnsOf(createQueryScheduler(20));
    const taken = takeAll(take, works);
    const both = [take(query('e'), works.work), take(query('e'), works.work)];
    await Promise.all(both.map((answer) => assert.rejects(answer, isBusy)));
    works.end(0);
    await taken[0];
    const anew = take(query('e'), works.work);
    works.end(4);
    assert.equal(await anew, 4);
  });
  it('are refused to a site that has 500 queries waiting, which are asked all the same', async () => {
    const works = createWork();
    const take = turnsOf();
    const taken = takeAll(take, works);
    const waiting = Array.from({ length: 500 }, (_, at) => take(query(`${at}`), works.work));
    await assert.rejects(take(query('e'), works.work), isBusy);
    await assert.rejects(take(query('e'), works.work), isBusy); // Nothing is left of the first.
    const joined = take(query('0'), works.work);
    works.end(0);
    await taken[0];
    works.end(4);
    assert.deepEqual([await joined, await waiting[0]], [4, 4]);
  });
  it('are left by who waits for nobody, and then by none that come behind', async () => {
    const works = createWork();
    const take = turnsOf();
    const taken = takeAll(take, works);
    const [asker, next] = [new AbortController(), new AbortController()];
    const gone = [
      assert.rejects(take(query('e'), works.work, asker), /gone/),
      assert.rejects(take(query('f'), works.work, next), /gone/),
    ];
    const last = take(query('g'), works.work);
    for (const each of [asker, next]) each.abort(new Error('gone'));
    const anew = take(query('e'), works.work); // At once: it joins nothing left over.
    await Promise.all(gone);
    for (const index of [0, 1]) works.end(index);
    await Promise.all(taken.slice(0, 2));
    for (const index of [4, 5]) works.end(index);
    assert.deepEqual([await last, await anew], [4, 5]);
    await assert.rejects(take(query('h'), works.work, asker), /gone/);
    assert.equal(works.begun.length, 6);
  });
  it('are kept while one of those who wait for the answer is there', async () => {
    const works = createWork();
    const take = turnsOf();
    const taken = takeAll(take, works);
    const askers = Array.from({ length: 3 }, () => new AbortController());
    const answers = askers.map((asker) => take(query('e'), works.work, asker));
    const last = answers.pop();
    const gone = answers.map((answer) => assert.rejects(answer, /gone/));
    const kept = take(query('f'), works.work);
    gone.push(assert.rejects(take(query('f'), works.work, askers[0]), /gone/));
    for (const asker of askers.slice(0, 2)) asker.abort(new Error('gone'));
    for (const index of [0, 1]) works.end(index);
    await Promise.all(taken.slice(0, 2));
    assert.deepEqual(
      works.begun.slice(4).map(({ stops }) => stops?.signal.aborted),
      [false, false],
    );
    for (const index of [4, 5]) works.end(index);
    assert.deepEqual(await Promise.all([last, kept]), [4, 5]);
    await Promise.all(gone);
  });
  it('abort what has begun when the last caller who waited for it leaves', async () => {
    const works = createWork();
    const take = turnsOf();
    const [taken] = takeAll(take, works);
    const askers = Array.from({ length: 3 }, () => new AbortController());
    const [first, second, alone] = askers;
    const answers = [first, second].map((asker) => take(query('e'), works.work, asker));
    const isStopped = (index: number) => works.begun[index]?.stops?.signal.aborted;
    works.end(0);
    await taken;
    first?.abort(new Error('gone'));
    assert.equal(isStopped(4), false);
    second?.abort(new Error('gone'));
    assert.equal(isStopped(4), true);
    const begun = turnsOf()(query('f'), works.work, alone);
    alone?.abort(new Error('gone'));
    assert.equal(isStopped(5), true);
    await Promise.all([...answers, begun].map((answer) => assert.rejects(answer, /gone/)));
    works.begun[4]?.reject(new Error('stopped')); // Nobody is left to be told.
    await new Promise(setImmediate);
  });
});
