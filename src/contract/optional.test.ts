import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Type from 'typebox';
import { optional, withoutEmpty, withoutNulls } from './optional.ts';

const SCHEMA = Type.Object({ id: Type.String(), ...optional({ name: Type.String() }) });

describe('an optional field', () => {
  it('that is null is absent; a required one is there, and so is what is not known', () => {
    const sent = { id: null, name: null, more: null };
    assert.deepEqual(withoutNulls(sent, SCHEMA), { id: null, more: null });
    assert.deepEqual(withoutNulls({ id: '', name: '' }, SCHEMA), { id: '', name: '' });
  });

  it('that is empty is absent, where that is asked for', () => {
    assert.deepEqual(withoutEmpty({ id: '', name: '' }, SCHEMA), { id: '' });
  });

  it('makes no copy of what has none, and leaves alone what is no object', () => {
    for (const sent of [{ id: 'a', name: 'b' }, null, 'text', [null]]) {
      assert.equal(withoutEmpty(sent, SCHEMA), sent);
    }
  });
});
