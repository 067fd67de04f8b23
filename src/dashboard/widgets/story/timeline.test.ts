import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type StoryPayment, type StoryVisit, type TimelineItem, toTimeline } from './timeline.ts';

const EUR = (value: string) => ({ value, currency: 'EUR' });
const NONE = { revenue: EUR('0.00'), payments: 0, conversions: 0 };

function visitAt(hour: string, ...minutes: readonly string[]): StoryVisit {
  const at = (minute: string) => `2026-11-0${hour}:${minute}:00.000Z`;
  return {
    visit_id: hour,
    service_visitor_id: 'anna',
    started_at: at(minutes[0] ?? '00'),
    last_event_at: at(minutes.at(-1) ?? '00'),
    pageviews: minutes.length,
    goals: 0,
    engagement_seconds: 0,
    values: {},
    ...{ credit: NONE, touches: [{ at: at(minutes[0] ?? '00'), values: {}, credit: NONE }] },
    events: minutes.map((minute) => ({ at: at(minute), type: 'pageview', page: `/${minute}` })),
  };
}

function paidAt(at: string): StoryPayment {
  return {
    ...{ type: 'payment', transaction_id: at, at: `2026-11-0${at}:00.000Z`, renewal: false },
    ...{ amount: EUR('9.00'), credit: [] },
  };
}

function toText(item: TimelineItem): string {
  if (item.kind === 'paid') return `paid ${item.paid.transaction_id}`;
  if (item.kind === 'came') return `came by ${item.touch.values.source}`;
  if (item.kind === 'done') return `did ${item.done.goal ?? item.done.page}`;
  return `visit ${item.entries.map(toText).join(', ')}`;
}

const texts = (items: readonly TimelineItem[]) => items.map(toText);

describe('a person’s timeline', () => {
  const first = visitAt('1T10', '00', '10');
  const second = visitAt('3T10', '00', '20');

  it('has the latest first, and each visit in the order of what happened', () => {
    const page = { visits: [second, first], payments: [paidAt('3T10:15')], goals_of_no_visit: [] };
    assert.deepEqual(texts(toTimeline([page], true)), [
      'visit did /00, paid 3T10:15, did /20',
      'visit did /00, did /10',
    ]);
  });

  it('has a visit’s further touches, each before the page it led to', () => {
    const at = '2026-11-01T10:10:00.000Z';
    const touch = { at, values: { source: 'Newsletter' }, credit: NONE };
    const visits = [{ ...first, touches: [...first.touches, touch] }];
    assert.deepEqual(texts(toTimeline([{ visits, payments: [], goals_of_no_visit: [] }], true)), [
      'visit did /00, came by Newsletter, did /10',
    ]);
  });

  it('keeps a payment with the visit that ended minutes before, and others apart', () => {
    const payments = [paidAt('3T10:24'), paidAt('3T10:26'), paidAt('2T09:00')];
    const page = { visits: [second, first], payments, goals_of_no_visit: [] };
    assert.deepEqual(texts(toTimeline([page], true)), [
      'paid 3T10:26',
      'visit did /00, did /20, paid 3T10:24',
      'paid 2T09:00',
      'visit did /00, did /10',
    ]);
  });

  it('leaves what is before the last visit that is loaded for its page', () => {
    const goal = { at: '2026-11-02T08:00:00.000Z', type: 'goal', goal: 'renewed' };
    const page = { visits: [second], payments: [paidAt('1T10:05')], goals_of_no_visit: [goal] };
    assert.deepEqual(texts(toTimeline([page], false)), ['visit did /00, did /20']);
    const older = { visits: [first], payments: [], goals_of_no_visit: [] };
    assert.deepEqual(texts(toTimeline([page, older], true)), [
      'visit did /00, did /20',
      'did renewed',
      'visit did /00, paid 1T10:05, did /10',
    ]);
  });

  it('shows payments of somebody whose visits are gone', () => {
    const page = { visits: [], payments: [paidAt('1T10:05')], goals_of_no_visit: [] };
    assert.deepEqual(texts(toTimeline([page], true)), ['paid 1T10:05']);
  });
});
