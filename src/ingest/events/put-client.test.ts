import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { EventRequest } from '#contract/event.ts';
import { createEnricher, type Enricher } from '#enrich/enrich-event.ts';
import { type EventDraft, newDraft, type Sender } from './event-draft.ts';
import { putClient } from './put-client.ts';
import { putPlace } from './put-facts.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const LONDON = '81.2.69.142';
const CLOUD = '203.0.113.9';
const BROWSER: Sender = { userAgent: FIREFOX, address: LONDON, trustedSiteId: undefined };
const SERVER: Sender = { userAgent: 'backend/1.0', address: CLOUD, trustedSiteId: 'site_1' };

describe('the client of an event', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-client-'));
  let enricher: Enricher;
  before(() => {
    const dataCentreRanges = join(folder, 'ranges.txt');
    writeFileSync(dataCentreRanges, `${CLOUD}/32\n`);
    enricher = createEnricher({ dataCentreRanges });
  });
  after(() => rmSync(folder, { recursive: true }));

  function put(
    sender: Sender,
    more: Partial<EventRequest> = {},
    dataCentres?: 'bots' | 'people',
  ): EventDraft {
    const event = { site: 'x', type: 'pageview', service_visitor_id: 'ada', ...more } as const;
    const draft = newDraft({ index: 0, event, sender, receivedAt: 0, sentAt: undefined });
    draft.site = { ...draft.site, settings: dataCentres === undefined ? {} : { dataCentres } };
    const ports = { enricher } as Parameters<typeof putClient>[1];
    putClient(draft, ports);
    putPlace(draft, ports);
    return draft;
  }

  it('is the browser of its headers and the location of its address', () => {
    const { client, place, botClass } = put(BROWSER);
    assert.equal(client?.browser, 'Firefox');
    assert.deepEqual(place, { country: 'GB', region: 'England', city: 'London' });
    assert.equal(botClass, '');
  });

  it('is never a server’s own browser or location, but the ones it states', () => {
    const silent = put(SERVER);
    assert.equal(silent.client, undefined);
    assert.equal(silent.place.country, '');
    const claimed = put(SERVER, { user_agent: FIREFOX, ip: LONDON });
    assert.equal(claimed.client?.browser, 'Firefox');
    assert.equal(claimed.place.country, 'GB');
  });

  it('is ignored in an event without a key', () => {
    assert.equal(put({ ...BROWSER, address: '127.0.0.1' }, { ip: LONDON }).place.country, '');
  });

  it('is a bot when the browser is automated, by flag or by hint', () => {
    for (const mark of [{ automation: true }, { webdriver: true }]) {
      assert.equal(put(BROWSER, mark).botClass, 'automation');
    }
    const brands = '"HeadlessChrome";v="146"';
    const hints = { brands, mobile: '?0', platform: '', platformVersion: '' };
    assert.equal(put({ ...BROWSER, hints }).botClass, 'automation');
  });

  it('is a bot without a user agent', () => {
    assert.equal(put({ ...BROWSER, userAgent: undefined }).botClass, 'no_user_agent');
  });

  it('is a bot in a data centre only if the site says so', () => {
    const sender = { ...BROWSER, address: CLOUD };
    assert.equal(put(sender).botClass, '');
    assert.equal(put(sender, {}, 'people').botClass, '');
    assert.equal(put(sender, {}, 'bots').botClass, 'data_centre');
    assert.equal(put(BROWSER, {}, 'bots').botClass, '');
    assert.equal(put(SERVER, {}, 'bots').botClass, '', 'a server’s own address is no visitor’s');
    assert.equal(put(SERVER, { ip: CLOUD }, 'bots').botClass, 'data_centre');
  });
});
