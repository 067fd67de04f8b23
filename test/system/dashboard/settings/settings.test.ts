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
  const settingsOf = async () => {
    const answer = await page.request.get(`/api/v1/sites/${SITE}`);
    return (await answer.json()) as { settings: object; channels: { name: string }[] };
  };

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

  it('stay open when the domain changes', async () => {
    await open('general');
    for (const domain of ['teapots.example', SITE]) {
      await page.getByLabel('Domain').fill(domain);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(`**/${domain}/settings/general`);
      await page.getByRole('heading', { name: 'General' }).waitFor();
      assert.equal(await page.getByLabel('Domain').inputValue(), domain);
    }
  });

  it('ask before a shorter retention deletes events', async () => {
    await open('general');
    const retention = page.getByLabel('Keep events for');
    const kept = async () => ((await settingsOf()).settings as { retention: unknown }).retention;
    const save = async (text: string) => {
      await retention.fill(text);
      await page.getByRole('button', { name: 'Save' }).click();
    };
    await save('30d');
    const dialog = page.getByRole('dialog', { name: /^Delete events before \d+ \w+ \d{4}\?$/ });
    await dialog.waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await kept(), null);
    assert.equal(await page.getByText('Saved.').count(), 0);
    await save('30d');
    await dialog.getByRole('button', { name: 'Delete and save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.equal(await kept(), '30d');
    await save('2y');
    await page.getByText('Saved.').waitFor();
    assert.equal(await kept(), '2y', 'a longer one is not asked about');
    await save('');
    await page.getByText('Saved.').waitFor();
    assert.equal(await kept(), null);
  });

  it('choose what is private, and show a secret once', async () => {
    await open('privacy');
    await page.getByLabel('Cookies').selectOption('gpc');
    await page.getByLabel('User ids from browsers').selectOption('signed');
    await page.getByLabel('Masked paths').fill('/order-*');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/at most 20 paths/).waitFor();
    await page.getByLabel('Masked paths').fill('/orders/*, /u/**');
    await page.getByLabel('Keep raw events of payment providers for').fill('30d');
    await page.getByLabel('Exclude').fill('203.0.113.0/24 DE');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: 'The identity secret' }).waitFor();
    const { settings } = await settingsOf();
    assert.deepEqual(settings, {
      ...{ retention: null, data_centres: null, cookieless: 'gpc', identify: 'signed' },
      ...{ provider_events: '30d', mask_paths: ['/orders/*', '/u/**'] },
      exclude: ['203.0.113.0/24', 'DE'],
    });
    await open('privacy');
    await page.getByRole('button', { name: 'Replace the secret …' }).click();
    await page.getByText('will be refused').waitFor();
    assert.equal(await page.getByRole('region', { name: 'The identity secret' }).count(), 0);
    await page.getByRole('button', { name: 'Replace it', exact: true }).click();
    await page.getByRole('region', { name: 'The identity secret' }).waitFor();
  });

  it('add, order and remove channels', async () => {
    await open('channels');
    for (const [name, value] of [
      ['Partners', 'partner.example'],
      ['Friends', 'friend.example'],
    ] as const) {
      await page.getByLabel('Channel', { exact: true }).fill(name);
      await page.getByLabel('Value').fill(value);
      await page.getByRole('button', { name: 'Add rule' }).click();
      await page.getByRole('listitem').filter({ hasText: name }).waitFor();
    }
    await page.getByRole('button', { name: 'Move Friends up' }).click();
    await page.getByRole('button', { name: 'Move Partners up' }).waitFor();
    const names = (await settingsOf()).channels.map(({ name }) => name);
    assert.deepEqual(names, ['Friends', 'Partners']);
    const friends = page.getByRole('listitem').filter({ hasText: 'Friends' });
    await friends.getByRole('button', { name: 'Remove' }).click();
    await friends.waitFor({ state: 'detached' });
  });

  it('ask before a key is rotated, and say how long the old one works', async () => {
    await open('keys');
    const made = page.getByRole('region', { name: 'The new key' });
    await page.getByRole('button', { name: 'Rotate' }).first().click();
    await page.getByText('This one keeps working for up to 24 hours.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await made.count(), 0);
    await page.getByRole('button', { name: 'Rotate' }).first().click();
    await page.getByText('This one keeps working for up to 24 hours.').waitFor();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Rotate/ })
      .click();
    await made.waitFor();
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

  it('lead from a refused host to where it is allowed', async () => {
    const answer = await page.request.post('/api/v1/events', {
      headers: { 'user-agent': FIREFOX },
      data: {
        site: SITE,
        type: 'pageview',
        url: 'https://evil.test/',
        service_visitor_id: VISITOR,
      },
    });
    assert.equal(answer.status(), 200, await answer.text());
    await open('health');
    await page.getByText('Events from evil.test were refused.').waitFor();
    await page.getByRole('rowheader', { name: 'Host not allowed' }).waitFor();
    await page.getByRole('link', { name: 'Allowed hosts' }).click();
    await page.getByLabel('Allowed hosts').waitFor();
  });

  it('tell the owner what the doctor finds', async () => {
    await open('health');
    await page.getByText('embedded engine').waitFor();
    // The card above checks the site, which has no payments here.
    const server = page.locator('section').filter({ hasText: 'embedded engine' }).last();
    assert.deepEqual(await server.getByRole('img', { name: 'Bad' }).allTextContents(), []);
    assert.ok((await server.getByRole('img', { name: 'Good' }).count()) > 1);
  });

  it('have nothing that axe finds, by day and by night', async () => {
    for (const part of ['privacy', 'channels', 'script', 'keys', 'exports', 'health']) {
      await open(part);
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      assert.deepEqual(await findFaultsDayAndNight(page), [], part);
    }
  });
});
