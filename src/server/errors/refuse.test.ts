import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it, mock } from 'node:test';
import { UnavailableError } from '#domain/unavailable.ts';
import { logAndRefuse } from './errors.ts';

const WRITE = { isRead: false, requestId: 'r-1', route: '/api/v1/goals' };

it('why writes are refused is logged once for many, and reads that only wait are not', () => {
  const log = { warn: mock.fn(), error: mock.fn() };
  const full = new UnavailableError('Events cannot be written.', 'disk I/O error');
  for (let count = 0; count < 100; count++) logAndRefuse(full, WRITE, log);
  logAndRefuse(new UnavailableError('The warehouse is away.'), { ...WRITE, isRead: true }, log);
  assert.equal(log.warn.mock.callCount(), 1);
  const [facts, message] = log.warn.mock.calls[0]?.arguments ?? [];
  assert.deepEqual(facts, { reason: 'disk I/O error', request_id: 'r-1', route: '/api/v1/goals' });
  assert.match(String(message), /^Events cannot be written\. Nothing was recorded; try again\.$/);

  logAndRefuse(new Error('a bug'), { ...WRITE, isRead: true }, log);
  assert.equal(log.error.mock.callCount(), 1);
});

it('reads that a store fails are logged once for many, and once more for the next spell', (t) => {
  const log = { warn: mock.fn(), error: mock.fn() };
  const read = { ...WRITE, isRead: true, route: '/api/v1/query' };
  const failed = new UnavailableError('The warehouse is silent.', 'connect ECONNREFUSED');
  let now = performance.now();
  t.mock.method(performance, 'now', () => now);
  for (let count = 0; count < 100; count++) {
    now += 50_000;
    assert.equal(logAndRefuse(failed, read, log).type, 'unavailable');
  }
  logAndRefuse(failed, WRITE, log);
  assert.equal(log.warn.mock.callCount(), 1);
  const [facts, message] = log.warn.mock.calls[0]?.arguments ?? [];
  const { requestId: request_id, route } = read;
  assert.deepEqual(facts, { reason: 'connect ECONNREFUSED', request_id, route });
  assert.equal(message, 'The warehouse is silent. Try again.');
  now += 100_000;
  logAndRefuse(failed, read, log);
  assert.equal(log.warn.mock.callCount(), 2);
});

it('a read that fails for a statement of ours is a bug, and is logged as one', () => {
  const log = { warn: mock.fn(), error: mock.fn() };
  const db = new DatabaseSync(':memory:');
  try {
    db.exec('SELECT * FROM nowhere');
  } catch (error) {
    assert.equal(logAndRefuse(error, { ...WRITE, isRead: true }, log).type, 'internal');
  }
  assert.equal(log.error.mock.callCount(), 1);
});

it('a write that the file of a store refuses is unavailable, and the log has why', () => {
  const log = { warn: mock.fn(), error: mock.fn() };
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE things (text TEXT); PRAGMA max_page_count = 2');
  assert.throws(
    () => db.exec(`INSERT INTO things VALUES ('${'x'.repeat(10_000)}')`),
    (error) => {
      const { type, message } = logAndRefuse(error, WRITE, log);
      assert.equal(type, 'unavailable');
      assert.match(message, /Nothing was recorded; try again\.$/);
      return true;
    },
  );
  const [facts] = log.warn.mock.calls[0]?.arguments ?? [];
  assert.match(facts.reason, /database or disk is full/);
  assert.equal(log.error.mock.callCount(), 0);
});
