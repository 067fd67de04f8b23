import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TOO_SLOW } from '#domain/refused-query.ts';
import { toSentence } from '../ui/faults.ts';
import { ApiError, refreshAfter } from './api.ts';

const messageOf = (...details: { path: string; message: string }[]) =>
  new ApiError(400, { message: 'The request is invalid at the body: x.', details }).message;

describe('what the API refuses', () => {
  it('is said without the request, of which people know nothing', () => {
    const message = '"not a domain!!" is not a domain such as example.com.';
    assert.equal(messageOf({ path: '/domain', message }), message);
    const sentence = { path: '/channels/0', message: 'Field "x" is unknown' };
    assert.equal(messageOf(sentence), 'Field "x" is unknown.');
  });

  it('names its field, and every fault', () => {
    assert.equal(
      messageOf(
        { path: '/expires_in_days', message: 'must be at least 1' },
        { path: '/name', message: 'must not be blank' },
      ),
      'Expires in days must be at least 1. Name must not be blank.',
    );
  });

  it('is said by its message when it has no details', () => {
    const message = 'Only the owner of the server may add a site.';
    assert.equal(new ApiError(403, { message }).message, message);
    assert.equal(new ApiError(502, {}).message, 'The server answered 502.');
  });

  it('has the label of its field for a subject, unless it is a sentence', () => {
    const rule = 'must have 10 to 200 characters';
    assert.equal(toSentence(rule, 'Password'), `Password ${rule}.`);
    const whole = 'There is already a link with that name.';
    assert.equal(toSentence(whole, 'Name'), whole);
  });

  it('is asked for again soon, a few times, where a query ran out of time', () => {
    const message = `${TOO_SLOW}: take a shorter date_range.`;
    const tooSlow = new ApiError(400, { details: [{ path: '/date_range', message }] });
    const query: Parameters<typeof refreshAfter>[0] = {
      state: { status: 'error', error: tooSlow, errorUpdateCount: 0 },
    };
    const after = (state: Partial<typeof query.state>) =>
      refreshAfter(Object.assign(query, { state: { ...query.state, ...state } }));
    assert.deepEqual(
      [1, 3, 4].map((errorUpdateCount) => after({ errorUpdateCount })),
      [10_000, 10_000, 60_000],
    );
    assert.equal(after({ status: 'success', error: null }), 60_000);
    // Three times in a row: those before its last answer do not count.
    assert.deepEqual(
      [5, 7, 8].map((errors) =>
        after({ status: 'error', error: tooSlow, errorUpdateCount: errors }),
      ),
      [10_000, 10_000, 60_000],
    );
    const refused = new ApiError(400, { message: 'No.' });
    assert.equal(
      refreshAfter({ state: { status: 'error', error: refused, errorUpdateCount: 1 } }),
      60_000,
    );
  });
});
