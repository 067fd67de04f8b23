import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gatherUntilQuiet } from './gather-until-quiet.ts';

/** How large a group has grown when it goes out, while `arrivals` come turn by turn. */
function gatherAll(arrivals: readonly number[]): Promise<number> {
  let size = 1;
  const coming = [...arrivals];
  function arrive(): void {
    size += coming.shift() ?? 0;
    if (coming.length > 0) setImmediate(arrive);
  }
  setImmediate(arrive);
  return new Promise((resolve) => {
    gatherUntilQuiet(
      () => resolve(size),
      () => size,
    );
  });
}

describe('gathering until quiet', () => {
  it('lets a lone entry go out after one turn', async () => {
    assert.equal(await gatherAll([0, 0, 5]), 1);
  });

  it('waits while each turn brings more', async () => {
    assert.equal(await gatherAll([2, 3, 1, 0, 5]), 7);
  });

  it('ends although there is no end to what comes', async () => {
    const size = await gatherAll(new Array<number>(50).fill(1));
    assert.ok(size < 20, `${size} entries`);
  });
});
