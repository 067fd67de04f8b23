import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createOwnVisits, type OwnVisitsLinks } from './own-visits.ts';

const SITE = 'site_1';

describe('a link that leaves a browser out of the figures', () => {
  let now = 0;
  let ownVisits: OwnVisitsLinks;
  beforeEach(() => {
    now = 0;
    ownVisits = createOwnVisits(() => now);
  });

  const pageOf = (id: string) => `https://shop.example/?tributary_own_visits=${id}`;
  const seen = (url: string, service_visitor_id = 'ada') =>
    ownVisits.follow({ url, service_visitor_id, visit_id: 'v' });
  const isLeftOut = (visitorId: string, url = 'https://shop.example/', siteId = SITE) =>
    ownVisits.isLeftOut(visitorId, new URL(url), siteId);

  it('names the browser anew, as a visitor of whom nothing counts', () => {
    const { id } = ownVisits.open(SITE, true);
    assert.equal(isLeftOut('ada'), false);
    assert.equal(isLeftOut('ada', pageOf(id)), true);
    const left = seen(pageOf(id));
    assert.ok(left);
    assert.equal(isLeftOut(left), true);
    assert.equal(ownVisits.find(SITE, id)?.state, 'done');
  });

  it('counts the browser again as a new visitor', () => {
    const left = seen(pageOf(ownVisits.open(SITE, true).id));
    const { id } = ownVisits.open(SITE, false);
    const back = seen(pageOf(id), left);
    assert.ok(back);
    assert.equal(isLeftOut(back), false);
    assert.equal(ownVisits.find(SITE, id)?.state, 'done');
  });

  it('changes nothing when its page is loaded again', () => {
    const out = pageOf(ownVisits.open(SITE, true).id);
    assert.equal(seen(out, seen(out)), undefined);
    assert.equal(seen(pageOf(ownVisits.open(SITE, false).id)), undefined);
  });

  it('says that a page without cookies has no visitor to leave out', () => {
    const { id } = ownVisits.open(SITE, true);
    assert.equal(ownVisits.follow({ url: pageOf(id) }), undefined);
    assert.equal(ownVisits.find(SITE, id)?.state, 'cookieless');
  });

  it('ends after ten minutes, and belongs to one site', () => {
    const { id } = ownVisits.open(SITE, true);
    assert.equal(ownVisits.find('site_2', id), undefined);
    assert.equal(isLeftOut('ada', pageOf(id), 'site_2'), false);
    now = 600_000;
    assert.equal(ownVisits.find(SITE, id), undefined);
    assert.equal(isLeftOut('ada', pageOf(id)), false);
    assert.equal(seen(pageOf(id)), undefined);
  });

  it('cannot be made up', () => {
    ownVisits.open(SITE, true);
    assert.equal(seen(pageOf('forged')), undefined);
    assert.equal(seen('no URL'), undefined);
    assert.equal(ownVisits.follow({ url: 7 }), undefined);
  });

  it('is forgotten once a thousand were opened after it', () => {
    const first = ownVisits.open(SITE, true);
    for (let count = 0; count < 1_000; count += 1) ownVisits.open(SITE, true);
    assert.equal(ownVisits.find(SITE, first.id), undefined);
  });
});
