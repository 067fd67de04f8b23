import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { News } from './news.ts';
import { createSiteFeed, type LiveMessage, parsePosition, toPosition } from './site-feed.ts';

const SINCE = 1_000;

function newsOf(id: number): News {
  const key = `news-${id}`;
  const data = { id: key, type: 'pageview', at: '2026-11-21T10:00:00.000Z' } as const;
  return { siteId: 'site', key, acceptedAt: SINCE - 5 + id, event: 'event', data };
}

function openFeed() {
  const heard: LiveMessage[] = [];
  const feed = createSiteFeed(SINCE);
  feed.listeners.add({ send: (messages) => heard.push(...messages), end() {} });
  return { feed, heard };
}

describe('the feed of a site', () => {
  it('tells everything once, however often and in whatever order it is found', () => {
    const looks = fc.array(fc.array(fc.nat(150), { maxLength: 40 }), { maxLength: 20 });
    fc.assert(
      fc.property(looks, (found) => {
        const { feed, heard } = openFeed();
        for (const ids of found) feed.offer(ids.map(newsOf), 1n);
        const keys = heard.map(({ key }) => key);
        const wanted = new Set(
          found
            .flat()
            .filter((id) => id >= 5)
            .map((id) => `news-${id}`),
        );
        assert.equal(new Set(keys).size, keys.length);
        assert.deepEqual(new Set(keys), wanted);
      }),
    );
  });

  it('gives positions that never go back, and that it reads again', () => {
    const { feed, heard } = openFeed();
    feed.offer([9, 7, 8].map(newsOf), 3n);
    feed.offer([6].map(newsOf), 4n);
    const positions = heard.map(({ id }) => parsePosition(id));
    const told = [1_002, 1_003, 1_004, 1_001].map((acceptedAt, index) => {
      return { acceptedAt, version: index === 3 ? 4n : 3n };
    });
    assert.deepEqual(positions.slice(0, 3), told.slice(0, 3));
    assert.equal(positions[3]?.version, 4n);
    assert.ok(
      (positions[3]?.acceptedAt ?? 0) >= 1_004,
      'a late one does not take the position back',
    );
    assert.equal(parsePosition('seven'), undefined);
    assert.equal(toPosition({ acceptedAt: 12, version: 34n }), '12-34');
  });

  it('tells the newest of too many, says how many it skipped, and never comes back to those', () => {
    const { feed, heard } = openFeed();
    const many = Array.from({ length: 500 }, (_, id) => newsOf(id + 5));
    feed.offer(many, 1n);
    assert.deepEqual(heard[0]?.data, JSON.stringify({ skipped: 300 }));
    assert.equal(heard.length, 201);
    feed.offer(many, 1n);
    assert.equal(heard.length, 201);
  });
});
