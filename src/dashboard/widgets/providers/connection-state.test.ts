import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describePayments, toState } from './connection-state.ts';

const QUIET = {
  ...{ missing: [], last_event_at: null, last_error: null, last_error_at: null },
  ...{ events: [], failed: [] },
};
const [EARLY, LATE] = ['2026-11-20T10:00:00.000Z', '2026-11-20T11:00:00.000Z'];

describe('the state of a connection', () => {
  it('is what keeps it from working, else that it waits or works', () => {
    const of = (more: Partial<Parameters<typeof toState>[0]>) =>
      toState({ ...QUIET, ...more }).label;
    assert.equal(of({ missing: ['signing_secret'] }), 'Not set up');
    assert.equal(of({}), 'Waiting for its first event');
    assert.equal(of({ last_event_at: LATE }), 'Working');
    const error = { last_error: 'It is forged.' };
    assert.equal(of({ ...error, last_error_at: EARLY }), 'Error');
    assert.equal(of({ ...error, last_error_at: LATE, last_event_at: EARLY }), 'Error');
    assert.equal(of({ ...error, last_error_at: EARLY, last_event_at: LATE }), 'Working');
    const events = [{ type: 'charge.succeeded', state: 'failed', count: 2 }];
    assert.equal(of({ last_event_at: LATE, events }), 'Working, 2 events failed');
  });

  it('says what to do, which differs for refused deliveries and failed events', () => {
    const failed = [
      { id: 'evt_1', type: 'charge', received_at: EARLY, why: 'Its currency is unknown.' },
    ];
    const about = (error: string) =>
      toState({ ...QUIET, failed, last_error: error, last_error_at: EARLY }).advice;
    assert.match(
      about('Event evt_1: Its currency is unknown.') ?? '',
      /Read the failed events again/,
    );
    assert.match(about('The delivery is not signed.') ?? '', /its address and its secret/);
  });
});

describe('the payments of a connection', () => {
  it('say how many found their visitor, and how', () => {
    const none = { by_event: 0, by_subscription: 0, by_order: 0, by_customer: 0 };
    assert.equal(describePayments({ ...none, all: 0, without_visitor: 0 }), 'No payments yet.');
    assert.equal(
      describePayments({ ...none, all: 4, by_event: 2, by_customer: 1, without_visitor: 1 }),
      '3 of 4 payments found their visitor: 2 by the payment itself, 1 by their customer.',
    );
    assert.equal(
      describePayments({ ...none, all: 1, without_visitor: 1 }),
      '0 of 1 payment found their visitor.',
    );
  });
});
