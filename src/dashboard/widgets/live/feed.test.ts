import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addMessage,
  type Feed,
  MOMENTS_MAX,
  openEventParser,
  openFeed,
  toPauseMs,
} from './feed.ts';

const NOW = '2026-11-23T10:00:00Z';
const shown = (id: string, at = NOW) => ({
  ...{ id: `at-${id}`, name: 'event' },
  data: JSON.stringify({ id, type: 'pageview', at, page: `/${id}` }),
});
const status = (data: object) => ({ id: '1', name: 'status', data: JSON.stringify(data) });
const after = (...messages: readonly Parameters<typeof addMessage>[1][]): Feed =>
  messages.reduce(addMessage, openFeed(NOW));

describe('a running stream', () => {
  it('begins with what the server still has of the last minutes', () => {
    const back = Date.parse(NOW) - Number(openFeed(NOW).lastId);
    assert.ok(back > 4 * 60_000 && back < 5 * 60_000, `${back} ms`);
  });

  it('has the latest first, each once, and remembers where it is', () => {
    const feed = after(shown('a'), shown('b'), shown('a'));
    assert.deepEqual(
      feed.moments.map(({ id }) => id),
      ['b', 'a'],
    );
    assert.deepEqual([feed.lastId, feed.connection], ['at-a', 'open']);
  });

  it('is in the order of what happened, whenever it was reported', () => {
    const days = ['2026-11-02', '2026-11-01', '2026-11-14', '2026-10-15'];
    const reported = days.map((day) => shown(day, `${day}T09:00:00.000Z`));
    const feed = after(shown('now'), ...reported, shown('later', '2026-11-23T10:00:01.000Z'));
    assert.deepEqual(
      feed.moments.map(({ id }) => id),
      ['later', 'now', '2026-11-14', '2026-11-02', '2026-11-01', '2026-10-15'],
    );
  });

  it('keeps so many', () => {
    const many = Array.from({ length: MOMENTS_MAX + 20 }, (_, index) => shown(String(index)));
    const { moments } = after(...many);
    assert.deepEqual([moments.length, moments[0]?.id], [MOMENTS_MAX, String(MOMENTS_MAX + 19)]);
  });

  it('knows when the database is away, and after what something is missing', () => {
    const away = after(shown('a'), status({ warehouse: 'away' }), status({ skipped: 3 }));
    assert.deepEqual([away.isWarehouseAway, away.gapAfter], [true, 'a']);
    const back = [status({ warehouse: 'there' }), shown('b')].reduce(addMessage, away);
    assert.deepEqual([back.isWarehouseAway, back.gapAfter], [false, 'a']);
  });

  it('is tried again ever more slowly, at least twice a minute', () => {
    assert.deepEqual([0, 1, 2, 5, 50].map(toPauseMs), [1_000, 2_000, 4_000, 30_000, 30_000]);
  });
});

const STREAM =
  'retry: 2000\n\nid: 7\nevent: status\ndata: {"a":1}\n\n: still here\n\ndata: x\ndata: y\n\n';
const MESSAGES = [
  { id: '7', name: 'status', data: '{"a":1}' },
  { id: '7', name: 'message', data: 'x\ny' },
];

describe('a stream of events', () => {
  it('is read the same wherever it is cut', () => {
    for (const size of [1, 2, 3, 10, STREAM.length]) {
      const parse = openEventParser();
      const pieces = STREAM.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
      assert.deepEqual(pieces.flatMap(parse), MESSAGES, `${size} at a time`);
    }
  });

  it('may end its lines otherwise', () => {
    assert.deepEqual(openEventParser()(STREAM.replaceAll('\n', '\r\n')), MESSAGES);
  });
});
