import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesOfPath } from './sections.ts';

describe('the names of a page', () => {
  const cases = [
    ['/shop.example', ['Overview']],
    ['/shop.example/', ['Overview']],
    ['/shop.example/payments', ['Payments']],
    ['/shop.example/payments/pi_1', ['Payments']],
    ['/shop.example/live', ['Live']],
    ['/shop.example/settings/keys', ['API keys', 'Settings']],
    ['/shop.example/settings', ['Settings']],
    ['/shop.example/nowhere', ['No such page']],
  ] as const;
  for (const [path, names] of cases) {
    it(`of ${path} are ${names.join(', ')}`, () => assert.deepEqual(namesOfPath(path), names));
  }
});
