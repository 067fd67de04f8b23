import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UnavailableError } from '#domain/unavailable.ts';
import { toRefused } from './errors.ts';

describe('a store that does not answer', () => {
  const error = new UnavailableError('The store is away.', undefined, 7);
  const messageTo = (isRead: boolean) => {
    const { type, message, headers } = toRefused(error, { isRead });
    assert.equal(type, 'unavailable');
    assert.equal(headers['retry-after'], '7');
    return message;
  };

  it('has recorded nothing of a write', () =>
    assert.equal(messageTo(false), 'The store is away. Nothing was recorded; try again.'));
  it('had nothing to record of a read', () =>
    assert.equal(messageTo(true), 'The store is away. Try again.'));
});
