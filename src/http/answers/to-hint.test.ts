import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toHint } from './to-hint.ts';

const url = 'https://shop.example/';

describe('the hint about dropped events', () => {
  it('says what to do about a tag that names no site', () => {
    for (const site of [undefined, '']) {
      const hint = toHint(
        [{ type: 'pageview', url, site }],
        [{ index: 0, reason: 'invalid_event' }],
      );
      assert.match(hint ?? '', /names no site.*site script DOMAIN/);
    }
  });

  it('takes a site that is written as a URL for what it is', () => {
    const sent = [{ type: 'pageview', url, site: 'https://shop.example/' }];
    const hint = toHint(sent, [{ index: 0, reason: 'unknown_site' }]);
    assert.match(hint ?? '', /Write data-site="shop\.example"\./);
  });

  it('says nothing of events that are wrong otherwise', () => {
    const sent = [{ site: 'shop.example', type: 'goal', url, name: 'Not a name' }];
    assert.equal(toHint(sent, [{ index: 0, reason: 'invalid_event' }]), undefined);
  });
});
