import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UnavailableError } from '#domain/unavailable.ts';
import { askInTime } from '#ingest/ask-in-time.ts';
import { createManualTimers } from '../run/manual-timers.ts';

const PATIENCE = { answerMaxMs: 50, restMs: 300 };

describe('a query with a timeout', () => {
  it('passes answers and failures through', async () => {
    const ask = askInTime(async (n: number) => n + 1, PATIENCE);
    assert.equal(await ask(1), 2);
    const failing = askInTime(() => Promise.reject(new Error('no')), PATIENCE);
    await assert.rejects(failing(), /no/);
    await assert.rejects(failing(), /no/, 'a failure is no silence');
  });

  it('times out, is not sent for a while, and is then sent again', async () => {
    let asked = 0;
    const timers = createManualTimers();
    const ask = askInTime(
      () => {
        asked += 1;
        return asked === 1 ? new Promise<number>(() => {}) : Promise.resolve(asked);
      },
      PATIENCE,
      timers,
    );
    const first = assert.rejects(ask(), UnavailableError);
    await timers.pass(PATIENCE.answerMaxMs);
    await first;
    await assert.rejects(ask(), UnavailableError);
    assert.equal(asked, 1);
    await timers.pass(PATIENCE.restMs);
    assert.equal(await ask(), 2);
  });
});
