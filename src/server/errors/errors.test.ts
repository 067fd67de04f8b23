import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UnavailableError } from '#domain/unavailable.ts';
import { BATCH_MAX_BYTES, BODY_MAX_BYTES } from '../requests/body.ts';
import { refuseFaults, refuseForNow, toRefused } from './errors.ts';

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

describe('a body that is too large', () => {
  it('says how large one may be', () => {
    const error = Object.assign(new Error(), { code: 'FST_ERR_CTP_BODY_TOO_LARGE' });
    const { type, message } = toRefused(error, { isRead: false });
    assert.equal(type, 'request_too_large');
    assert.ok(message.includes(`${BODY_MAX_BYTES / 1024} KiB`), message);
    assert.ok(message.includes(`${BATCH_MAX_BYTES / 1024 ** 2} MiB`), message);
  });
});

describe('a refusal of faults', () => {
  const messageOf = (...faults: [path: string, message: string][]) =>
    refuseFaults(faults.map(([path, message]) => ({ path, message }))).message;

  it('says where the first is, and ends with one period', () => {
    assert.equal(
      messageOf(['/name', 'is required']),
      'The request is invalid at /name: is required.',
    );
    assert.equal(
      messageOf(['/a', 'This is no day.']),
      'The request is invalid at /a: This is no day.',
    );
  });
  it('says how many more there are', () =>
    assert.equal(
      messageOf(['', 'must be an object'], ['/a', 'b']),
      'The request is invalid at the body: must be an object (and 1 more in details).',
    ));
});

it('a refusal for now says how long to wait', () => {
  const waits = [1, 1_000, 1_001].map((waitMs) => refuseForNow('Just sent.', waitMs));
  assert.deepEqual(
    waits.map(({ message, headers }) => [message, headers['retry-after']]),
    [
      ['Just sent. Try again in 1 second.', '1'],
      ['Just sent. Try again in 1 second.', '1'],
      ['Just sent. Try again in 2 seconds.', '2'],
    ],
  );
});
