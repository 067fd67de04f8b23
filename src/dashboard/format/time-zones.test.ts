import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTimeZone } from '#domain/time/is-time-zone.ts';
import { listTimeZones, nameTimeZone } from './time-zones.ts';

describe('the time zones', () => {
  const zones = listTimeZones('Europe/Berlin');

  it('have the names of today, which the server takes', () => {
    for (const zone of ['Asia/Kolkata', 'Asia/Kathmandu', 'Europe/Kyiv', 'America/Nuuk', 'UTC']) {
      assert.ok(zones.includes(zone), zone);
    }
    for (const zone of ['Asia/Calcutta', 'Asia/Katmandu', 'Europe/Kiev', 'America/Godthab']) {
      assert.ok(!zones.includes(zone) && zones.includes(nameTimeZone(zone)), zone);
    }
    assert.deepEqual(
      zones.filter((zone) => !isTimeZone(zone)),
      [],
    );
  });

  it('begin with that of the site, even under its old name', () => {
    assert.equal(listTimeZones('Asia/Calcutta')[0], 'Asia/Calcutta');
    assert.equal(new Set(zones).size, zones.length);
  });
});
