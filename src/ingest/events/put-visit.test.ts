import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MINUTE_MS } from '#domain/time/durations.ts';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { newUuid } from '../new-uuid.ts';
import { type EventDraft, newDraft } from './event-draft.ts';
import { findSentAt } from './find-sent-at.ts';
import { putVisit } from './put-visit.ts';

const START = Date.UTC(2026, 10, 21, 12);
const VISIT = newUuid(START);

/** The draft of an event of a visit that began at START, so many minutes later. */
function draftAt(minutes: number, event: object, known?: Partial<KnownVisitor>): EventDraft {
  const draft = newDraft({
    index: 0,
    event: { site: 's', type: 'engagement', visit_id: VISIT, ...event } as EventDraft['event'],
    sender: { userAgent: undefined, trustedSiteId: undefined },
    receivedAt: START + minutes * MINUTE_MS,
    sentAt: findSentAt([event], { trustedSiteId: undefined }),
  });
  const visitor = { botClass: '', hasPageview: true, visitId: VISIT, visitStartedAt: START };
  putVisit(draft, {
    recall: () => known && ({ ...visitor, lastEventAt: START, ...known } as KnownVisitor),
    newId: newUuid,
  } as never);
  return draft;
}

describe('time spent with a page', () => {
  it('prolongs its visit', () => {
    assert.equal(draftAt(20, { engagement_ms: MINUTE_MS }).extendsVisit, true);
  });

  it('prolongs its visit when it began within the visit', () => {
    assert.equal(draftAt(50, { engagement_ms: 45 * MINUTE_MS }, {}).extendsVisit, true);
  });

  it('does not prolong a visit that had ended when the visitor returned to the page', () => {
    const draft = draftAt(120, { engagement_ms: MINUTE_MS }, {});
    assert.equal(draft.extendsVisit, false);
    assert.equal(draft.visitId, VISIT);
  });

  it('is measured from the last known event of the visit', () => {
    const lastEventAt = START + 110 * MINUTE_MS;
    assert.equal(draftAt(120, { engagement_ms: MINUTE_MS }, { lastEventAt }).extendsVisit, true);
  });

  it('opens no visit', () => {
    const draft = draftAt(0, { visit_id: undefined });
    assert.deepEqual([draft.visitId, draft.extendsVisit], ['', false]);
  });
});

describe('the class of a visit', () => {
  const driven = { botClass: 'automation', botReason: 'driven by a program' };
  const classAt = (visitId: string, visitClass: KnownVisitor['visitClass']) => {
    const known = { visitClass, lastEventAt: START, visitId };
    return draftAt(1, { type: 'pageview' }, known).botClass;
  };

  it('is that of its first event, which later ones take, and no other visit', () => {
    assert.equal(classAt(VISIT, driven), 'automation');
    assert.equal(classAt(newUuid(START), driven), '');
    assert.equal(classAt(VISIT, undefined), '');
  });
});

describe('the visit of the tracker’s event', () => {
  it('begins by our clock, as the event’s id shows the error of the sender’s', () => {
    const ahead = START + 3 * 24 * 60 * MINUTE_MS;
    const draft = draftAt(5, {
      type: 'pageview',
      visit_id: newUuid(ahead),
      event_id: newUuid(ahead + 5 * MINUTE_MS),
    });
    assert.equal(draft.visitStartedAt, START);
  });
});
