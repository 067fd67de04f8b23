import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { spreadOut } from '#jobs/spread-out.ts';

it('calls of a burst go through in order, a few at a time', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const takeTurn = spreadOut({ calls: 2, everyMs: 10 });
  const passed: number[] = [];
  const begin = (n: number) => takeTurn().then(() => passed.push(n));
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  for (const n of [1, 2, 3, 4, 5]) void begin(n);
  await settled();
  assert.deepEqual(passed, [1, 2]);
  mock.timers.tick(10);
  await settled();
  assert.deepEqual(passed, [1, 2, 3, 4]);

  mock.timers.tick(10);
  void begin(6);
  void begin(7);
  await settled();
  assert.deepEqual(passed, [1, 2, 3, 4, 5, 6], 'what is left of a turn is taken at once');
  mock.timers.tick(20);
  void begin(8);
  await settled();
  assert.deepEqual(passed, [1, 2, 3, 4, 5, 6, 7, 8], 'after a pause nobody waits');
  mock.timers.reset();
});
