import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { UnavailableError } from '#domain/unavailable.ts';
import { refuse } from './errors.ts';

const WRITE = { isRead: false, requestId: 'r-1', route: '/api/v1/goals' };

it('why writes are refused is logged once for many, and reads are not', () => {
  const log = { warn: mock.fn(), error: mock.fn() };
  const full = new UnavailableError('Events cannot be written.', 'disk I/O error');
  for (let count = 0; count < 100; count++) refuse(full, WRITE, log);
  refuse(new UnavailableError('The warehouse is away.'), { ...WRITE, isRead: true }, log);
  assert.equal(log.warn.mock.callCount(), 1);
  const [facts, message] = log.warn.mock.calls[0]?.arguments ?? [];
  assert.deepEqual(facts, { reason: 'disk I/O error', request_id: 'r-1', route: '/api/v1/goals' });
  assert.match(String(message), /^Events cannot be written\. Nothing was recorded; try again\.$/);

  refuse(new Error('a bug'), { ...WRITE, isRead: true }, log);
  assert.equal(log.error.mock.callCount(), 1);
});
