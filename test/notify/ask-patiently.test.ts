import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QueryAnswer, SentQuery } from '#contract/query.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { askPatiently } from '#notify/ask-patiently.ts';
import { createManualTimers } from '../run/manual-timers.ts';

const SITE = { id: 'site_tea', domain: 'tea.example', timezone: 'UTC', currency: 'EUR' };
const QUERY = { site_id: 'tea.example', metrics: ['visitors'] } as SentQuery;

/** A server that throws each of these before it answers. */
function failingWith(...errors: Error[]) {
  const asked = { count: 0 };
  const ask = async () => {
    asked.count += 1;
    const error = errors.shift();
    if (error !== undefined) throw error;
    return { results: [] } as unknown as QueryAnswer;
  };
  return { ask, asked };
}

const busy = () => new UnavailableError('Too many queries.', undefined, 2);

describe('a query for a summary', () => {
  it('is repeated while the server is busy', async () => {
    const { ask, asked } = failingWith(busy(), busy());
    const timers = createManualTimers();
    const answer = askPatiently(ask, timers)(SITE, QUERY);
    await timers.pass(1_999);
    assert.equal(asked.count, 1);
    await timers.pass(2_001);
    assert.deepEqual(await answer, { results: [] });
    assert.equal(asked.count, 3);
  });

  it('is not repeated after another error, or when patience ends', async () => {
    const refused = failingWith(new Error('no such metric'));
    await assert.rejects(askPatiently(refused.ask)(SITE, QUERY), /no such metric/);
    assert.equal(refused.asked.count, 1);
    const forever = failingWith(...Array.from({ length: 100 }, busy));
    const timers = createManualTimers();
    const ended = assert.rejects(askPatiently(forever.ask, timers)(SITE, QUERY), UnavailableError);
    await timers.pass(600_000);
    await ended;
    assert.equal(forever.asked.count, 32);
  });
});
