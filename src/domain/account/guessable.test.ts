import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isGuessable } from './guessable.ts';

describe('a password', () => {
  it('is guessable if it is a row of keys, a repetition or a common word with digits', () => {
    const bad = [
      '1234567890',
      '0987654321',
      'QWERTYuiop',
      'abababababab',
      'Password123!',
      '1-letmein-1',
    ];
    for (const each of bad) assert.ok(isGuessable(each), each);
    const good = ['a long passphrase', '7482915036', 'not the password', 'ключ от двери'];
    for (const each of good) assert.ok(!isGuessable(each), each);
  });
});
