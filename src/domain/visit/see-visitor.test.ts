import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seeVisitor } from './see-visitor.ts';
import { findOpenVisit, VISIT_GAP_MS } from './visit-gap.ts';

const page = { isPageview: true, botClass: '', visitId: 'a', visitStartedAt: 10, occurredAt: 20 };

describe('what is known of a visitor', () => {
  const known = seeVisitor(undefined, page);

  it('begins with the first event', () => {
    assert.deepEqual(known, {
      botClass: '',
      hasPageview: true,
      visitId: 'a',
      visitStartedAt: 10,
      lastEventAt: 20,
    });
  });

  it('has a pageview for ever after the first', () => {
    assert.equal(seeVisitor(known, { ...page, isPageview: false }).hasPageview, true);
  });

  it('is a bot or a person as at first sight, whatever comes later', () => {
    const declared = { ...page, botClass: 'declared' };
    assert.equal(seeVisitor(known, declared).botClass, '');
    assert.equal(seeVisitor(seeVisitor(undefined, declared), page).botClass, 'declared');
  });

  it('is first seen with the first pageview, when other events came before', () => {
    const report = seeVisitor(undefined, { ...page, isPageview: false });
    const bot = seeVisitor(report, { ...page, botClass: 'declared' });
    assert.equal(bot.botClass, 'declared');
    assert.equal(seeVisitor(bot, page).botClass, 'declared');
  });

  it('keeps the open visit when an older event arrives', () => {
    const older = { ...page, visitId: 'old', visitStartedAt: 1, occurredAt: 2 };
    assert.deepEqual(seeVisitor(known, older), known);
  });
});

describe('an open visit', () => {
  const visitor = seeVisitor(undefined, page);

  it('is open until 30 minutes have passed', () => {
    assert.deepEqual(findOpenVisit(visitor, 20 + VISIT_GAP_MS - 1), {
      visitId: 'a',
      visitStartedAt: 10,
    });
    assert.equal(findOpenVisit(visitor, 20 + VISIT_GAP_MS), undefined);
  });

  it('takes in what happened shortly before the last event', () => {
    assert.equal(findOpenVisit(visitor, 20 - VISIT_GAP_MS + 1)?.visitId, 'a');
    assert.equal(findOpenVisit(visitor, 20 - VISIT_GAP_MS), undefined);
  });
});
