import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../server/wait-until.ts';
import { findFaultsDayAndNight } from './find-faults.ts';
import { DEMO, type OpenDashboard } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';

describe('the journeys page', () => {
  let dashboard: OpenDashboard;
  let page: Page;
  before(async () => {
    dashboard = await shareDashboard();
    page = dashboard.page;
  });
  after(() => dashboard?.close());

  const paths = () => page.getByRole('region', { name: 'Paths' });
  const placeOf = (text: RegExp) => paths().getByRole('listitem').filter({ hasText: text }).first();
  async function peopleAt(text: RegExp): Promise<number> {
    const words = (await placeOf(text).textContent()) ?? '';
    return Number(/([\d,]+) people/.exec(words)?.[1]?.replaceAll(',', ''));
  }

  it('is walked by clicks, each with the people of the one before, and goes back', async () => {
    await page.goto(`/${DEMO}/journeys?period=12mo`);
    const all = await peopleAt(/^Start of the visit\d/);
    const front = await peopleAt(/^\/ after Start/);
    assert.ok(all > front && front > 0, `${front} of ${all} people`);
    await placeOf(/^\/ after Start/)
      .getByRole('link')
      .click();
    await page.waitForURL('**after=page,/');
    assert.equal(await peopleAt(/^\/\d/), front);
    const next = paths().getByRole('link').first();
    assert.match((await next.textContent()) ?? '', / after \/: /);
    await next.click();
    const trail = page.getByRole('navigation', { name: 'Followed steps' });
    await trail.getByRole('listitem').nth(2).waitFor();
    await trail.getByRole('link', { name: 'Start of the visit' }).click();
    await placeOf(/^\/ after Start/).waitFor();
    await page.goBack();
    await page.goBack();
    assert.equal(await peopleAt(/^\/\d/), front);
  });

  it('fades where a phone cuts it, and not where all of it is seen', async () => {
    await page.goto(`/${DEMO}/journeys?period=12mo`);
    await paths().waitFor();
    const fade = () =>
      page.evaluate(
        `getComputedStyle(document.querySelector('[aria-label=Paths]'), '::after').content`,
      );
    assert.equal(await fade(), 'none');
    await page.setViewportSize({ width: 360, height: 740 });
    await waitUntil(fade, (content) => content !== 'none');
    await page.setViewportSize({ width: 1_440, height: 900 });
  });

  it('begins with any step, in the same period', async () => {
    const today = new Date().toISOString().slice(0, 10);
    await page.goto(`/${DEMO}/journeys?from=2020-01-01&to=${today}&within=30d`);
    await page.getByRole('button', { name: /Start elsewhere/ }).click();
    await page.getByRole('button', { name: 'New payment' }).click();
    await page.waitForURL(`**from=2020-01-01&to=${today}*start=payment,new**`);
    assert.ok((await peopleAt(/^New payment\d/)) > 0);
  });

  it('keeps the steps to choose from under the pointer while others load', async () => {
    await page.goto(`/${DEMO}/journeys?period=12mo`);
    await paths().waitFor();
    const pressed = Promise.withResolvers<void>();
    await page.route('**/api/v1/query', async (route) => {
      await pressed.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: /Start elsewhere/ }).click();
    await page.getByRole('button', { name: 'New payment' }).hover();
    await page.mouse.down();
    pressed.resolve();
    await page.getByRole('button', { name: 'add_to_cart' }).waitFor();
    await page.mouse.up();
    await page.waitForURL('**start=payment,new**');
    await page.unroute('**/api/v1/query');
  });

  it('has nothing that axe finds, by day and by night', async () => {
    await page.goto(`/${DEMO}/journeys?period=12mo`);
    await paths().getByRole('link').first().waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
  });
});
