import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toHint } from './to-hint.ts';

const url = 'https://shop.example/';

describe('the hint about dropped events', () => {
  it('says what is wrong with an event, and how to write a goal’s name', () => {
    const faults = [
      [{ path: '/site', message: 'is required' }, 'its site is required.'],
      [{ path: '/metadata/a', message: 'must be a string' }, 'its metadata/a must be a string.'],
      [
        { path: '/name', message: 'must be lower case' },
        'its name must be lower case. Write "sign_up_now", not "Sign up – now".',
      ],
    ] as const;
    for (const [fault, said] of faults) {
      const hint = toHint(
        [{ type: 'goal', url, name: 'Sign up – now' }],
        [{ index: 0, reason: 'invalid_event', details: [fault] }],
      );
      assert.equal(hint, `Tributary drops an event: ${said}`);
    }
  });

  it('says what to write where a goal has no name', () => {
    const hint = toHint(
      [{ type: 'goal', url, name: '' }],
      [{ index: 0, reason: 'invalid_event', details: [{ path: '/name', message: 'is empty' }] }],
    );
    assert.equal(hint, 'Tributary drops an event: its name is empty. Write "signup", not "".');
  });

  it('takes a site that is written as a URL for what it is', () => {
    const sent = [{ type: 'pageview', url, site: 'https://shop.example/' }];
    const hint = toHint(sent, [{ index: 0, reason: 'unknown_site' }]);
    assert.match(hint ?? '', /Write data-site="shop\.example"\./);
  });
});
