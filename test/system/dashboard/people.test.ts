import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findFaultsDayAndNight } from './find-faults.ts';
import { DEMO, type OpenDashboard } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';

type Persons = {
  results: { person_id: string; customer_ids: string[]; emails: string[] }[];
};

describe('people', () => {
  let dashboard: OpenDashboard;
  let richest: Persons['results'][number];
  before(async () => {
    dashboard = await shareDashboard();
    const answer = await dashboard.page.request.post('/api/v1/query/persons', {
      headers: { 'x-site-id': DEMO, origin: dashboard.server.url },
      data: { site_id: DEMO, date_range: '30d', order_by: [['revenue', 'desc']] },
    });
    const { results } = (await answer.json()) as Persons;
    assert.ok(results[0]);
    richest = results[0];
  });
  after(() => dashboard?.close());

  it('are listed, sorted by a head, a page at a time', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/people`);
    await page.getByRole('columnheader', { name: 'Last seen' }).waitFor();
    await page.getByRole('button', { name: 'Revenue' }).click();
    await page.waitForURL('**/people?sort=revenue');
    const first = page.getByRole('row').nth(1);
    await first.getByRole('link', { name: richest.emails[0] ?? '' }).waitFor();
    const rows = page.getByRole('table', { name: 'People' }).getByRole('row');
    assert.equal(await rows.count(), 51);
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows.nth(60).waitFor();
  });

  it('are found by a part of an id, and said to be none otherwise', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/people`);
    await page.getByRole('searchbox').fill(richest.customer_ids[0] ?? '');
    await page.waitForURL('**/people?q=cus_*');
    await page.getByRole('link', { name: richest.emails[0] ?? '' }).waitFor();
    await page.getByRole('searchbox').fill('nobody at all');
    await page.getByText('Nobody in this period matches “nobody at all”.').waitFor();
  });

  it('have a story with what they did and paid', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/people?sort=revenue`);
    await page.getByRole('link', { name: richest.emails[0] ?? '' }).click();
    await page.waitForURL(`**/people/${richest.person_id}`);
    await page.getByRole('heading', { level: 1, name: richest.emails[0] ?? '' }).waitFor();
    await page
      .getByRole('list', { name: 'Timeline' })
      .locator('[data-kind=pageview]')
      .first()
      .waitFor();
    await page
      .getByText(/^Payment €\d/)
      .first()
      .waitFor();
  });

  it('who are unknown are said to be so', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/people/nobody`);
    await page.getByText('There is no person with this id.').waitFor();
  });

  it('have nothing that axe finds, by day and by night', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/people`);
    await page.getByRole('table', { name: 'People' }).waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await page.goto(`/${DEMO}/people/${richest.person_id}`);
    await page.getByRole('list', { name: 'Timeline' }).waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
  });
});
