import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callerOf } from '../../server/caller.ts';
import { runCli } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { findFaults, findFaultsDayAndNight } from './find-faults.ts';
import { DEMO, type OpenDashboard, openSignedIn, openViewer } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';
import { askApi } from './steps/ask-api.ts';
import { findCut } from './steps/find-cut.ts';

type Person = { person_id: string; customer_ids: string[]; emails: string[] };

describe('people', () => {
  let dashboard: OpenDashboard;
  let richest: Person;
  before(async () => {
    dashboard = await shareDashboard();
    const [first] = await askApi<Person>(dashboard, '/api/v1/query/persons', {
      ...{ date_range: '30d', order_by: [['revenue', 'desc']] },
    });
    assert.ok(first);
    richest = first;
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

  it('are listed with their whole names, however wide the window is', async () => {
    const locale = 'en-US';
    const page = await openSignedIn(dashboard.browser, dashboard.server, { locale });
    await page.goto(`/${DEMO}/people`);
    const names = page.getByRole('row').getByRole('link');
    for (const width of [1_440, 1_100, 1_000, 768, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await names.first().waitFor();
      assert.deepEqual(await findCut(names), [], `${width} px`);
      assert.equal(await page.evaluate('document.body.scrollWidth > innerWidth'), false);
    }
    await page.context().close();
  });

  it('keep every column in view, however long a source is', async () => {
    const { page, server } = dashboard;
    const source = 'endless'.repeat(30);
    await callerOf(server.url, DEMO, '').pageview('by-link', `/?utm_source=${source}`);
    await waitUntil(
      () => askApi(dashboard, '/api/v1/query/persons', { date_range: '30d', search: 'by-link' }),
      (found) => found.length > 0,
    );
    await page.goto(`/${DEMO}/people?q=by-link`);
    const cell = page.getByTitle(source);
    await cell.waitFor();
    assert.equal(await cell.textContent(), source);
    assert.deepEqual(await findCut(page.getByRole('table', { name: 'People' }).locator('..')), []);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
  });

  it('are taken apart where a join was wrong, by who may', async () => {
    const { page, server, browser } = dashboard;
    const { key } = await runCli<{ key: string }>(
      ['key', 'create', '--site', DEMO],
      server.dataDir,
    );
    const caller = callerOf(server.url, DEMO, key);
    for (const id of ['their-phone', 'a-kiosk']) {
      await caller.pageview(id, `/${id}`);
      const told = { service_visitor_id: id, user_id: 'shared-user' };
      await waitUntil(
        async () => (await caller.post('/api/v1/identify', told)).status,
        (status) => status === 200,
      );
    }
    const address = `/${DEMO}/people/their-phone`;
    const headers = { 'x-site-id': DEMO };
    const story = page.getByRole('list', { name: 'Timeline' });
    await waitUntil(
      async () => (await page.request.get('/api/v1/persons/their-phone', { headers })).text(),
      (told) => told.includes('/their-phone') && told.includes('/a-kiosk'),
    );
    await page.goto(address);
    for (const path of ['/their-phone', '/a-kiosk']) await story.getByText(path).first().waitFor();

    const viewer = await openViewer(
      page,
      await browser.newContext({ baseURL: server.url, locale: 'en-GB' }),
      DEMO,
    );
    await viewer.goto(address);
    await viewer.getByRole('list', { name: 'Timeline' }).waitFor();
    assert.equal(await viewer.getByRole('button', { name: 'Undo a join' }).count(), 0);
    await viewer.context().close();

    await page.getByRole('button', { name: 'Undo a join' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo a join' });
    await dialog.getByText('Joined by user shared-user').nth(1).waitFor();
    assert.deepEqual(await findFaults(page, '[role=dialog]'), []);
    await dialog.getByRole('button', { name: 'Take out a-kiosk' }).click();
    const question = page.getByRole('dialog', { name: 'Take out a-kiosk?' });
    await question.getByRole('button', { name: 'Take out', exact: true }).click();
    await dialog.getByText('These are separate people now').waitFor();
    await dialog.getByRole('link', { name: 'a-kiosk' }).click();
    await page.waitForURL(`**/${DEMO}/people/a-kiosk`);
    await waitUntil(
      () => story.innerText(),
      (text) => text.includes('/a-kiosk') && !text.includes('/their-phone'),
    );
    assert.equal(await page.getByText('/their-phone').count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Undo a join' }).count(), 0);
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
