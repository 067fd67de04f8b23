import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changedBy } from './changed-by.ts';

describe('a correction of a payment names who made it', () => {
  const cases = [
    ['a member or key by name', { by: 'user_2ef0', by_name: 'Ada Lovelace' }, 'Ada Lovelace'],
    ['a member who left', { by: 'user_2ef0' }, 'a former member'],
    ['a key without a name', { by: 'key_b954' }, 'an unnamed key'],
    ['a command', { by: 'command' }, 'a command on the server'],
  ] as const;
  for (const [rule, change, name] of cases) {
    it(rule, () => assert.equal(changedBy(change), name));
  }
});
