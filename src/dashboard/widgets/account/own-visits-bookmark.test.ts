import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { OWN_VISITS_BOOKMARK } from './own-visits-bookmark.ts';

it('a click on the bookmark makes the script silent, another lets it speak, and each says so', () => {
  const said: string[] = [];
  const localStorage: Record<string, unknown> = {};
  const click = () =>
    runInNewContext(OWN_VISITS_BOOKMARK.replace('javascript:', ''), {
      ...{ localStorage, location: { host: 'shop.example' } },
      alert: (text: string) => said.push(text),
    });
  click();
  assert.deepEqual(localStorage, { tributary_ignore: true });
  click();
  assert.deepEqual(localStorage, {});
  assert.deepEqual(said, [
    'From the next page on, Tributary ignores this browser on shop.example.',
    'From the next page on, Tributary counts this browser on shop.example.',
  ]);
});
