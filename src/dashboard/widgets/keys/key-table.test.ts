import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KEY_GROUPS, resolveKey } from './key-table.ts';

const press = (key: string, held: 'ctrlKey' | 'metaKey' | 'altKey' | 'none' = 'none') => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false },
  [held]: true,
});

describe('a key', () => {
  it('chooses a period', () => {
    const command = { open: 'period', detail: '7d' };
    assert.deepEqual(resolveKey(press('w'), ''), { command });
    assert.deepEqual(resolveKey(press('W'), ''), { command });
  });

  it('chooses a card by its place', () => {
    assert.deepEqual(resolveKey(press('2'), ''), { command: { open: 'card', detail: '2' } });
    assert.equal(resolveKey(press('9'), ''), undefined);
  });

  it('goes to a section after G', () => {
    assert.deepEqual(resolveKey(press('g'), ''), { isWaiting: true });
    const command = { open: 'section', detail: '/people' };
    assert.deepEqual(resolveKey(press('p'), 'G'), { command });
  });

  it('does after G nothing of what it does alone', () => {
    assert.equal(resolveKey(press('w'), 'G'), undefined);
  });

  it('opens the palette with Ctrl and with Cmd', () => {
    const command = { open: 'palette' };
    assert.deepEqual(resolveKey(press('k', 'ctrlKey'), ''), { command });
    assert.deepEqual(resolveKey(press('k', 'metaKey'), ''), { command });
  });

  it('is left to the browser when Ctrl or Alt is held', () => {
    for (const held of ['ctrlKey', 'metaKey', 'altKey'] as const) {
      assert.equal(resolveKey(press('d', held), ''), undefined);
    }
  });

  it('means one thing', () => {
    const keys = KEY_GROUPS.flatMap(({ lines }) => lines.map((line) => line.keys));
    assert.equal(new Set(keys).size, keys.length);
  });
});
