import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UnavailableError } from '#domain/unavailable.ts';
import { createFairQueue } from './fair-queue.ts';

const LIMITS = { runningMax: 1, waitingOfSiteMax: 3, waitingMax: 5, waitMaxMs: 60_000 };

/** Work that ends when told to, and notes its name when it starts. */
function createWork(begun: string[]) {
  const ends = new Map<string, () => void>();
  return {
    named: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
    async end(name: string, done: Promise<unknown>) {
      ends.get(name)?.();
      await done;
    },
  };
}

describe('turns', () => {
  it('go from site to site, and within a site to who came first', async () => {
    const begun: string[] = [];
    const work = createWork(begun);
    const queue = createFairQueue(LIMITS);
    const all = new Map(
      ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => [
        name,
        queue.run(name.slice(0, 1), work.named(name)),
      ]),
    );
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) {
      assert.equal(begun.at(-1), name);
      await work.end(name, all.get(name) ?? Promise.resolve());
    }
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });
  it('are left by who is stopped, for those behind', async () => {
    const begun: string[] = [];
    const work = createWork(begun);
    const queue = createFairQueue(LIMITS);
    const first = queue.run('a', work.named('a1'));
    const stopped = new AbortController();
    const rejected = [work.named('a2'), work.named('a3')].map((each) =>
      assert.rejects(queue.run('a', each, stopped.signal), /gone/),
    );
    const last = queue.run('a', work.named('a4'));
    stopped.abort(new Error('gone'));
    await Promise.all(rejected);
    await work.end('a1', first);
    await assert.rejects(queue.run('a', work.named('a5'), stopped.signal), /gone/);
    await work.end('a4', last);
    assert.deepEqual(begun, ['a1', 'a4']);
  });
  it('are as many at once as there may be', async () => {
    const begun: string[] = [];
    const work = createWork(begun);
    const queue = createFairQueue({ ...LIMITS, runningMax: 2 });
    const all = ['a1', 'a2', 'a3'].map((name) => queue.run('a', work.named(name)));
    assert.deepEqual(begun, ['a1', 'a2']);
    await work.end('a2', all[1] ?? Promise.resolve());
    assert.deepEqual(begun, ['a1', 'a2', 'a3']);
  });
  it('are not waited for by more than may wait, of one site or in all', async () => {
    const begun: string[] = [];
    const work = createWork(begun);
    const queue = createFairQueue(LIMITS);
    for (const name of ['a1', 'a2', 'a3', 'a4'])
      void queue.run('a', work.named(name)).catch(() => {});
    await assert.rejects(queue.run('a', work.named('a5')), UnavailableError);
    for (const name of ['b1', 'b2']) void queue.run('b', work.named(name)).catch(() => {});
    await assert.rejects(queue.run('c', work.named('c1')), UnavailableError);
  });
  it('are not waited for too long', async () => {
    const begun: string[] = [];
    const work = createWork(begun);
    const queue = createFairQueue({ ...LIMITS, waitMaxMs: 5 });
    const first = queue.run('a', work.named('a1'));
    await assert.rejects(queue.run('a', work.named('a2')), UnavailableError);
    await work.end('a1', first);
    assert.equal(await Promise.race([queue.run('b', async () => 'b1'), first]), 'a1');
    assert.deepEqual(begun, ['a1']);
  });
  it('are fewer for one site than there are, so that another finds one', async () => {
    const begun: string[] = [];
    const work = createWork(begun);
    const queue = createFairQueue({ ...LIMITS, runningMax: 3, runningOfSiteMax: 2 });
    const first = queue.run('a', work.named('a1'));
    for (const name of ['a2', 'a3', 'a4']) void queue.run('a', work.named(name));
    assert.deepEqual(begun, ['a1', 'a2']);
    const other = queue.run('b', work.named('b1'));
    const next = queue.run('b', work.named('b2'));
    assert.deepEqual(begun, ['a1', 'a2', 'b1']);
    await work.end('b1', other);
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'b2']); // Though two of the first site came before it.
    await work.end('a1', first);
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'b2', 'a3']);
    await work.end('b2', next);
    assert.equal(begun.length, 5);
  });
  it('are all for one site alone, and fewer beside others', async () => {
    const begun: string[] = [];
    const work = createWork(begun);
    const queue = createFairQueue({ ...LIMITS, runningMax: 3, runningBesideOthersMax: 2 });
    const [first, second] = ['a1', 'a2', 'a3', 'a4'].map((name) =>
      queue.run('a', work.named(name)),
    );
    const other = queue.run('b', work.named('b1'));
    assert.deepEqual(begun, ['a1', 'a2', 'a3']);
    await work.end('a1', first as Promise<string>);
    assert.deepEqual(begun.slice(3), ['b1']);
    await work.end('b1', other);
    assert.deepEqual(begun.slice(4), []); // Kept for the other site.
    await work.end('a2', second as Promise<string>);
    assert.deepEqual(begun.slice(4), ['a4']);
  });
  it('are no more once they are closed, and what goes on comes to its end', async () => {
    const work = createWork([]);
    const queue = createFairQueue(LIMITS);
    const first = queue.run('a', work.named('a1'));
    const waiting = ['a', 'a', 'b'].map((site) =>
      assert.rejects(queue.run(site, work.named('w')), UnavailableError),
    );
    queue.close();
    await Promise.all(waiting);
    await assert.rejects(queue.run('c', work.named('c1')), UnavailableError);
    await work.end('a1', first);
    assert.equal(await first, 'a1');
  });
  it('are passed on by work that fails', async () => {
    const queue = createFairQueue(LIMITS);
    await assert.rejects(
      queue.run('a', () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.equal(await queue.run('a', async () => 'next'), 'next');
  });
});
