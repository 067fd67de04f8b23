import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DropSample, refusedHostsOf } from './dropped-events.ts';

describe('the refused hosts of a site', () => {
  const drop = (host: string, reason: DropSample['reason'] = 'hostname_not_allowed') => ({
    ...{ siteId: 'site_1', hourAt: 0, reason, type: 'pageview', path: '/', host },
  });

  it('are named once, with their ports, and none where an event names none', () => {
    const drops = [drop('b.example'), drop('127.0.0.1:8080'), drop('b.example'), drop('')];
    assert.deepEqual(refusedHostsOf(drops, []), ['127.0.0.1:8080', 'b.example']);
  });

  it('are no longer those that the site allows by now', () => {
    const drops = [drop('b.example'), drop('127.0.0.1:8080'), drop('c.example', 'excluded')];
    assert.deepEqual(refusedHostsOf(drops, ['127.0.0.1']), ['b.example']);
  });
});
