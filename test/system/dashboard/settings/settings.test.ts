import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { addCaller } from '../../../server/caller.ts';
import { waitUntil } from '../../../server/wait-until.ts';
import { findFaultsDayAndNight } from '../find-faults.ts';
import type { OpenDashboard } from '../open-dashboard.ts';
import { shareDashboard } from '../share-dashboard.ts';
import { findCut } from '../steps/find-cut.ts';

const SITE = 'kettles.example';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const VISITOR = '3b241101-e2bb-4255-8caf-4136c566a962';

describe('the settings of a site', () => {
  let dashboard: OpenDashboard;
  let page: Page;
  before(async () => {
    dashboard = await shareDashboard();
    page = dashboard.page;
    const { url, dataDir } = dashboard.server;
    const caller = await addCaller(url, dataDir, SITE);
    for (const path of ['/?utm_source=Google', '/pricing']) {
      const { status } = await caller.post('/api/v1/events', {
        ...{ site: SITE, type: 'pageview', url: `https://${SITE}${path}` },
        ...{ service_visitor_id: VISITOR, user_agent: FIREFOX, ip: '81.2.69.142' },
      });
      assert.equal(status, 200);
    }
    for (const name of ['brewed_tea', 'poured_tea']) await caller.goal(VISITOR, name);
    await waitUntil(
      () => caller.query({ metrics: ['pageviews', 'conversions'] }),
      ({ body }) => JSON.stringify(body).includes('"metrics":[2,2]'),
    );
  });
  after(() => dashboard?.close());

  const open = (part: string) => page.goto(`/${SITE}/settings/${part}`);

  it('fit a phone, with the buttons of each row', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const [part, name] of [
      ['keys', 'Revoke'],
      ['people', 'Invite'],
    ] as const) {
      await open(part);
      const button = page.getByRole('button', { name }).first();
      await button.waitFor();
      const { x = 0, width = 0 } = (await button.boundingBox()) ?? {};
      assert.ok(x + width <= 360, `${name} ends at ${x + width}`);
      assert.deepEqual(await findCut(page.locator('main section, main table')), [], part);
    }
    await page.setViewportSize({ width: 1_440, height: 900 });
  });

  it('save everything, and figures, as files', async () => {
    await open('exports');
    for (const [kind, format] of [
      ['days', 'csv'],
      ['sources', 'csv'],
      ['pages', 'ndjson'],
      ['goals', 'ndjson'],
      ['countries', 'parquet'],
      ['events', 'csv'],
      ['visits', 'csv'],
      ['persons', 'parquet'],
    ] as const) {
      await page.getByLabel('Content', { exact: true }).selectOption(kind);
      await page.getByLabel('Format', { exact: true }).selectOption(format);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download' }).click(),
      ]);
      assert.match(file.suggestedFilename(), new RegExp(`^${SITE}-${kind}-.*\\.${format}$`));
      const bytes = readFileSync(await file.path());
      const lines = bytes.toString('latin1').trim().split('\n');
      assert.ok(format === 'parquet' ? bytes.length > 500 : lines.length > 1, `${kind} ${lines}`);
    }
  });

  it('erase a person, after showing whom, and typing a word', async () => {
    await page.goto(`/${SITE}/people?period=all`);
    await page.getByRole('row').nth(1).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Erase this person …' }).click();
    await page.locator('input[name="visitor"]:focus').waitFor();
    const box = await page.getByRole('button', { name: 'Preview erasure' }).boundingBox();
    const { height } = page.viewportSize() ?? { height: 0 };
    assert.ok(box !== null && box.y > 0 && box.y + box.height <= height, JSON.stringify(box));
    await page.getByRole('button', { name: 'Preview erasure' }).click();
    await page.getByLabel('Type “erase”').fill('yes');
    await page.getByRole('button', { name: 'Erase permanently' }).click();
    await page.getByText('It cannot be undone.', { exact: false }).first().waitFor();
    await page.getByLabel('Type “erase”').fill('erase');
    await page.getByRole('button', { name: 'Erase permanently' }).click();
    await page.getByText(/^Done: 1 visitor/).waitFor();
    await page.getByRole('button', { name: 'Preview erasure' }).click();
    await page.getByRole('alert').waitFor();
  });

  it('show the owner what the doctor finds', async () => {
    await open('health');
    await page.getByText('embedded engine').waitFor();
    // The card above checks the site, which has no payments here.
    const server = page.locator('section').filter({ hasText: 'embedded engine' }).last();
    assert.deepEqual(await server.getByRole('img', { name: 'Bad' }).allTextContents(), []);
    assert.ok((await server.getByRole('img', { name: 'Good' }).count()) > 1);
  });

  it('ask before a shorter retention deletes events, and are saved', async () => {
    await open('general');
    await page.getByLabel('Keep events for').fill('30d');
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: /^Delete events before \d+ \w+ \d{4}\?$/ });
    await dialog.waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await dialog.getByRole('button', { name: 'Delete and save' }).click();
    await page.getByText('Saved.').waitFor();
    const saved = await page.request.get(`/api/v1/sites/${SITE}`);
    assert.equal((await saved.json()).settings.retention, '30d');
  });

  it('have nothing that axe finds, by day and by night', async () => {
    for (const part of ['privacy', 'channels', 'script', 'keys', 'exports', 'health']) {
      await open(part);
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      assert.deepEqual(await findFaultsDayAndNight(page), [], part);
    }
  });
});
