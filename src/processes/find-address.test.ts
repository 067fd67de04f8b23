import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseSettings } from '#settings.ts';
import { findAddress } from './find-address.ts';

it('one address is listened on, whatever the host is called', async () => {
  const addressOf = (host: string) => {
    const settings = parseSettings({ HOST: host });
    assert.ok(settings.ok);
    return findAddress(settings.value);
  };
  assert.equal(await addressOf('localhost'), '127.0.0.1');
  assert.equal(await addressOf('0.0.0.0'), '0.0.0.0');
  assert.equal(await addressOf('::'), '::');
  await assert.rejects(addressOf('nowhere.invalid'), /HOST is nowhere\.invalid; allowed is/);
});
