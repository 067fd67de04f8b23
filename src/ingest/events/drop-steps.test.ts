import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dropExcluded } from './drop-steps.ts';
import type { EventDraft } from './event-draft.ts';

const exclude = ['203.0.113.0/24', '2001:db8::/32', 'DE', '/admin/**', 'staging.example.com'];

const draftOf = ({ url = 'https://example.com/', country = 'FR', address = '198.51.100.1' }) =>
  ({
    site: { settings: { exclude } },
    place: { country, region: '', city: '' },
    address: URL.parse(url) ?? undefined,
    event: {},
    sender: { address, trustedSiteId: undefined },
  }) as unknown as EventDraft;

describe('an event is excluded', () => {
  const cases = [
    ['by an address in a range', { address: '203.0.113.9' }, 'excluded'],
    ['by an address of the other family', { address: '2001:db8::9' }, 'excluded'],
    ['by its country', { country: 'DE' }, 'excluded'],
    ['by its page', { url: 'https://example.com/admin/users/7' }, 'excluded'],
    ['by its host', { url: 'https://staging.example.com/' }, 'excluded'],
    ['by nothing else', { url: 'https://example.com/administration' }, undefined],
  ] as const;
  for (const [rule, sent, reason] of cases) {
    it(rule, () => assert.equal(dropExcluded(draftOf(sent)), reason));
  }

  it('never, on a site that excludes nothing', () => {
    const draft = draftOf({ country: 'DE' });
    assert.equal(dropExcluded({ ...draft, site: { ...draft.site, settings: {} } }), undefined);
  });
});
