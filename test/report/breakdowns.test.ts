import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Bakery, openBakery } from '../worlds/open-bakery.ts';

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
});
after(() => bakery.close());

describe('by visit', () => {
  it('breaks traffic down by where each visit came from', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['visits', 'visitors', 'pageviews', 'bounce_rate'],
        dimensions: ['visit:source'],
      }),
      [
        'Direct | 2 | 2 | 2 | 50',
        'Hacker News | 2 | 2 | 2 | 100',
        'Google | 1 | 1 | 2 | 0',
        'Newsletter | 1 | 1 | 3 | 0',
      ],
    );
  });
  it('knows medium and campaign', async () => {
    assert.deepEqual(
      await bakery.lines({ metrics: ['visits'], dimensions: ['visit:medium', 'visit:campaign'] }),
      ['(none) | (none) | 2', 'referral | (none) | 2', 'cpc | autumn | 1', 'email | november | 1'],
    );
  });
  it('knows referrer and entry page', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['visits'],
        dimensions: ['visit:entry_page', 'visit:referrer'],
      }),
      [
        '/ | (none) | 2',
        '/ | https://news.ycombinator.com/ | 1',
        '/ | https://www.google.com/ | 1',
        '/account | (none) | 1',
        '/blog | https://news.ycombinator.com/ | 1',
      ],
    );
  });
});

describe('by event', () => {
  it('counts a visit on every page it saw', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['pageviews', 'visits', 'visitors', 'bounce_rate'],
        dimensions: ['event:page'],
      }),
      [
        '/ | 4 | 4 | 3 | 50',
        '/blog | 2 | 2 | 2 | 50',
        '/pricing | 2 | 2 | 2 | 0',
        '/account | 1 | 1 | 1 | 0',
      ],
    );
  });
  it('counts goals, and the share of all visitors who reached them', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['conversions', 'visitors', 'conversion_rate', 'visits'],
        dimensions: ['event:goal'],
      }),
      ['signup | 2 | 2 | 50 | 1', 'login | 1 | 1 | 25 | 1'],
    );
  });
  it('reads custom parameters by name', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['conversions'],
        dimensions: ['event:goal', 'event:props:plan'],
        order_by: [['event:props:plan', 'asc']],
      }),
      ['login | (none) | 1', 'signup | free | 1', 'signup | pro | 1'],
    );
  });
  it('lists the names of custom parameters, each event under each of its own', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['conversions', 'visitors', 'revenue', 'events'],
        dimensions: ['event:property'],
      }),
      ['plan | 2 | 2 | 35.90 | 2'],
    );
    assert.deepEqual(
      await bakery.lines({
        metrics: ['conversions'],
        dimensions: ['event:property', 'event:props:plan'],
        filters: [['is', 'event:goal', ['signup']]],
        order_by: [['event:props:plan', 'asc']],
      }),
      ['plan | free | 1', 'plan | pro | 1'],
    );
  });
  it('takes the share of the visitors of the same source', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['conversion_rate'],
        dimensions: ['visit:source', 'event:goal'],
      }),
      ['Google | login | 100', 'Google | signup | 100', 'Newsletter | signup | 100'],
    );
  });
  it('credits money to every page and goal of the visit that gets it', async () => {
    assert.deepEqual(
      await bakery.lines({ metrics: ['visitors', 'revenue'], dimensions: ['event:page'] }),
      ['/ | 3 | 35.90', '/blog | 2 | 0.00', '/pricing | 2 | 35.90', '/account | 1 | 0.00'],
    );
    assert.deepEqual(
      await bakery.lines({
        metrics: ['revenue', 'conversions'],
        dimensions: ['event:goal', 'event:props:plan'],
      }),
      ['signup | pro | 35.90 | 1', 'login | (none) | 0.00 | 1', 'signup | free | 0.00 | 1'],
    );
  });
  it('shows for a page the money that a filter by it shows', async () => {
    for (const model of ['first_touch', 'linear'] as const) {
      const query = { metrics: ['revenue', 'payments'], attribution: { model } };
      const byPage = await bakery.lines({ ...query, dimensions: ['event:page'] });
      assert.ok(byPage.length > 2, model);
      for (const line of byPage) {
        const [page = '', ...money] = line.split(' | ');
        const filters = [['is', 'event:page', [page]]];
        assert.deepEqual(await bakery.lines({ ...query, filters }), [money.join(' | ')], model);
      }
    }
  });
  it('keeps the other events of a visit out when a filter names one', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['revenue'],
        dimensions: ['event:page'],
        filters: [['is', 'event:goal', ['signup']]],
      }),
      ['/pricing | 35.90'],
    );
  });
});
