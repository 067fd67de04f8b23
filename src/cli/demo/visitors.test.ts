import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEnricher } from '#enrich/enrich-event.ts';
import { DEVICES, HOMES, ROBOTS } from './visitors.ts';

const { findClient, findPlace } = createEnricher();

describe('the demo’s visitors', () => {
  it('are where their browsers say, by the database of places', () => {
    for (const [, { ip, language, timezone }] of HOMES) {
      const { country, city } = findPlace(ip);
      assert.equal(country, language.slice(-2), `${ip} ${timezone}`);
      assert.notEqual(city, '', ip);
    }
  });

  it('are people with browsers and devices that are known', () => {
    for (const [, { userAgent }] of DEVICES) {
      const { browser, os, device, bot } = findClient({ userAgent });
      assert.deepEqual([browser, os, device].includes(''), false, userAgent);
      assert.equal(bot.botClass, '', userAgent);
    }
  });

  it('differ from its robots', () => {
    for (const [, { userAgent }] of ROBOTS) {
      assert.notEqual(findClient({ userAgent }).bot.botClass, '', userAgent);
    }
  });
});
