import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toEmail, toName } from './user.ts';

describe('names and addresses', () => {
  it('are stored without blanks around them, addresses in lower case', () => {
    assert.equal(toEmail('  Anna@Example.COM '), 'anna@example.com');
    assert.equal(toName('  Anna  '), 'Anna');
  });

  it('are refused when they are invalid', () => {
    const unusable = ['anna@b', 'anna@localhost', 'änna@b.cd', 'anna@b.c', 'an..na@b.cd'];
    const none = ['', 'anna', 'a b@c.de', 'a@b@c.de', '@b.cd', 'a@', `${'x'.repeat(250)}@b.cd`];
    for (const text of [...unusable, ...none]) {
      assert.equal(toEmail(text), undefined, text);
    }
    for (const text of ['', ' ', 'a\u0000b', 'x'.repeat(101)])
      assert.equal(toName(text), undefined);
  });
});
