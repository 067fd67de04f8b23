import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createGroupCommit } from './group-commit.ts';

/** A commit that the test finishes by hand, and the groups it was called with. */
function heldCommit() {
  const groups: (readonly string[])[] = [];
  const held: PromiseWithResolvers<readonly string[]>[] = [];
  return {
    groups,
    commit(group: readonly string[]): Promise<readonly string[]> {
      groups.push(group);
      const promise = Promise.withResolvers<readonly string[]>();
      held.push(promise);
      return promise.promise;
    },
    finish: (index: number) => held[index]?.resolve(groups[index]?.map((e) => `${e}!`) ?? []),
    fail: (index: number, error: Error) => held[index]?.reject(error),
  };
}

describe('group commit', () => {
  it('commits the first entry at once', () => {
    const disk = heldCommit();
    void createGroupCommit(disk.commit).add('a');
    assert.deepEqual(disk.groups, [['a']]);
  });

  it('gathers entries that arrive before a delayed commit begins', async () => {
    const disk = heldCommit();
    const begins: (() => void)[] = [];
    const { add } = createGroupCommit(disk.commit, { gather: (begin) => begins.push(begin) });
    const all = Promise.all([add('a'), add('b')]);
    assert.deepEqual(disk.groups, []);
    begins.shift()?.();
    disk.finish(0);
    assert.deepEqual(await all, ['a!', 'b!']);
    assert.deepEqual(disk.groups, [['a', 'b']]);
    assert.deepEqual(begins, []);
  });

  it('puts entries that arrive during a commit into the next group', async () => {
    const disk = heldCommit();
    const { add } = createGroupCommit(disk.commit);
    const a = add('a');
    const others = Promise.all([add('b'), add('c')]);
    assert.deepEqual(disk.groups, [['a']]);

    disk.finish(0);
    assert.equal(await a, 'a!');
    assert.deepEqual(disk.groups, [['a'], ['b', 'c']]);
    disk.finish(1);
    assert.deepEqual(await others, ['b!', 'c!']);
  });

  it('begins a second commit while the first is in flight if two are allowed, and no third', async () => {
    const disk = heldCommit();
    const { add } = createGroupCommit(disk.commit, { inFlightMax: 2 });
    const all = Promise.all([add('a'), add('b'), add('c'), add('d')]);
    assert.deepEqual(disk.groups, [['a'], ['b']]);
    disk.finish(1);
    await new Promise(setImmediate);
    assert.deepEqual(disk.groups, [['a'], ['b'], ['c', 'd']]);
    disk.finish(0);
    disk.finish(2);
    assert.deepEqual(await all, ['a!', 'b!', 'c!', 'd!']);
  });

  it('resolves an entry only after its own commit', async () => {
    const disk = heldCommit();
    const { add } = createGroupCommit(disk.commit);
    let answered = false;
    const a = add('a');
    const b = add('b').then(() => {
      answered = true;
    });
    disk.finish(0);
    await a;
    assert.equal(answered, false);
    disk.finish(1);
    await b;
  });

  it('rejects only the group of a failed commit', async () => {
    const disk = heldCommit();
    const { add } = createGroupCommit(disk.commit);
    const a = add('a');
    const b = add('b');
    disk.fail(0, new Error('disk full'));
    await assert.rejects(a, /disk full/);
    disk.finish(1);
    assert.equal(await b, 'b!');
    const c = add('c');
    disk.finish(2);
    assert.equal(await c, 'c!');
  });

  it('rejects the group when the commit throws synchronously', async () => {
    const { add } = createGroupCommit<string, string>(() => {
      throw new Error('closed');
    });
    await assert.rejects(add('a'), /closed/);
    await assert.rejects(add('b'), /closed/);
  });

  it('rejects the group when results and entries differ in number', async () => {
    const { add } = createGroupCommit<string, string>(async () => []);
    await assert.rejects(add('a'), /a result for each entry/);
  });

  it('commits every entry once, in order, and gives each its own result', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 40 }), async (pauses) => {
        const committed: number[] = [];
        const { add } = createGroupCommit(async (group: readonly number[]) => {
          await turns(pauses[committed.length] ?? 0);
          committed.push(...group);
          return group.map((entry) => entry * 2);
        });
        const answers: Promise<number>[] = [];
        for (const [entry, pause] of pauses.entries()) {
          answers.push(add(entry));
          await turns(pause);
        }
        assert.deepEqual(
          await Promise.all(answers),
          pauses.map((_, entry) => entry * 2),
        );
        assert.deepEqual(committed, [...pauses.keys()]);
      }),
    );
  });
});

/** Lets so many turns of the microtask queue pass. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await undefined;
}
