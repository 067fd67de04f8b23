import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSiteChannel } from '#domain/acquisition/channels/site-channel.ts';
import { findSiteChannel } from './reference-channels.ts';

describe('a channel of a site’s own', () => {
  const VISIT = {
    source: 'Kettle Review',
    medium: '',
    campaign: 'Spring Sale',
    term: '',
    content: '',
    click_id: 'gclid',
    referrer: 'https://kettle.example/a',
    entry_page: '/teas/oolong',
    channel: 'Referral',
  };
  const tests: readonly (readonly [where: string, holds: boolean])[] = [
    ['source is KETTLE REVIEW', true],
    ['source is Kettle', false],
    ['source is_not Kettle', true],
    ['medium is', true],
    ['medium is_not', false],
    ['campaign contains sale', true],
    ['campaign contains_not sale', false],
    ['entry_page starts_with /teas/', true],
    ['entry_page starts_with oolong', false],
    ['referrer ends_with /a', true],
    ['channel is Referral', true],
  ];
  for (const [where, holds] of tests) {
    it(`${holds ? 'takes' : 'leaves'} the visit where ${where}`, () => {
      const parsed = parseSiteChannel('Own', [where]);
      assert.ok(parsed.ok);
      assert.equal(findSiteChannel([parsed.value], VISIT), holds ? 'Own' : undefined);
    });
  }
});
