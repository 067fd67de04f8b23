import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createLiveCursor, parsePosition } from './live-cursor.ts';
import type { News } from './news.ts';

const SINCE = 1_000;

function newsOf(id: number): News {
  const key = `news-${id}`;
  const acceptedAt = SINCE - 5 + id;
  return { siteId: 'site', key, acceptedAt, event: 'event', version: 0n, data: key };
}

describe('the cursor of a listener', () => {
  it('sends everything once while looks find it again', () => {
    const looks = fc.array(fc.array(fc.nat(150), { maxLength: 40 }), { maxLength: 20 });
    fc.assert(
      fc.property(looks, (found) => {
        const cursor = createLiveCursor(SINCE);
        const all = new Set<number>();
        const sent = found.flatMap((ids) => {
          for (const id of ids) all.add(id);
          return cursor.toMessages([...all].map(newsOf), 1_000).map(({ data }) => data);
        });
        const wanted = [...all].filter((id) => id >= 5).map((id) => `news-${id}`);
        assert.deepEqual(sent.toSorted(), wanted.toSorted());
      }),
    );
  });

  it('gives positions that never go back, and that it reads again', () => {
    const cursor = createLiveCursor(SINCE);
    const messages = [[9, 7, 8], [6]].flatMap((ids) => cursor.toMessages(ids.map(newsOf), 10));
    const positions = messages.map(({ id }) => parsePosition(id));
    assert.deepEqual(positions, [1_002, 1_003, 1_004, 1_004]);
    for (const text of ['', 'seven', '-1', '1.5', '1-2'])
      assert.equal(parsePosition(text), undefined);
  });

  it('leaves out the oldest of too much, says how much, and never sends it later', () => {
    const cursor = createLiveCursor(SINCE);
    const news = [10, 11, 12, 13].map(newsOf);
    const [status, ...rest] = cursor.toMessages(news, 3);
    assert.deepEqual([status?.event, status?.data], ['status', '{"skipped":1}']);
    assert.deepEqual(
      rest.map(({ data }) => data),
      ['news-11', 'news-12', 'news-13'],
    );
    assert.deepEqual(cursor.toMessages([], 3), []);
    assert.deepEqual(cursor.toMessages([newsOf(10)], 3), []);
  });
});
