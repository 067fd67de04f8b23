import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../server/wait-until.ts';
import { BLOCKED } from '../e2e/blocked.ts';
import { DEMO, type OpenDashboard, OWNER, openSignedIn } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';

const PAGES = [
  ...['', '/attribution', '/funnels', '/retention', '/journeys', '/people', '/payments', '/live'],
  ...['/settings/general', '/settings/health', '/settings/exports'],
];

describe('the dashboard in bad weather', () => {
  let dashboard: OpenDashboard;
  before(async () => {
    dashboard = await shareDashboard();
  });
  after(() => dashboard?.close());

  const visitors = (page: Page) => page.getByRole('button', { name: /^Visitors \d/ });

  const kept = (page: Page) =>
    page.evaluate<string | null>("localStorage.getItem('tributary-answers')");

  it('works behind a blocker, on every page', async () => {
    const { page } = dashboard;
    const stopped: string[] = [];
    await page.route(BLOCKED, (route) => {
      stopped.push(route.request().url());
      return route.abort();
    });
    for (const path of PAGES) {
      await page.goto(`/${DEMO}${path}`);
      await page.getByRole('navigation', { name: 'Sections' }).waitFor();
      // The live view's stream never goes idle.
      if (path === '/live') await page.getByRole('status').getByText('Connected').waitFor();
      else await page.waitForLoadState('networkidle');
      assert.equal(await page.getByText('could not be loaded').count(), 0, path);
    }
    assert.deepEqual(stopped, []);
    await page.unroute(BLOCKED);
  });

  it('says that the connection is lost, keeps what is shown, and goes on when it is back', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}`);
    await visitors(page).waitFor();
    const line = page.getByText('The server cannot be reached.');
    await page.route('**/api/**', (route) => route.abort());
    await page.getByRole('button', { name: /^Period:/ }).click();
    await page.getByRole('menuitemradio', { name: /Last 7 days/ }).click();
    await line.waitFor();
    await visitors(page).waitFor();
    await page.unroute('**/api/**');
    await line.waitFor({ state: 'detached' });
    await visitors(page).waitFor();
  });

  it('shows nobody the figures of another, nor those of somebody who has signed out', async () => {
    const page = await openSignedIn(dashboard.browser, dashboard.server);
    await page.goto(`/${DEMO}`);
    await visitors(page).waitFor();
    await waitUntil(
      () => kept(page),
      (text) => (text?.length ?? 0) > 1_000,
    );
    await page.evaluate(
      "localStorage.setItem('tributary-answers', localStorage.getItem('tributary-answers').replace(/user_[\\w-]+/, 'user_another'))",
    );
    await page.route('**/api/v1/query', () => {}); // Never answered.
    await page.reload();
    await page.getByRole('link', { name: 'Attribution' }).waitFor();
    assert.equal(await visitors(page).count(), 0);
    assert.equal(await kept(page), null);
    await page.unroute('**/api/v1/query');
    await page.reload();
    await visitors(page).waitFor();
    await waitUntil(
      () => kept(page),
      (text) => (text?.length ?? 0) > 1_000,
    );
    assert.doesNotMatch(String(await kept(page)), new RegExp(OWNER.email));
    await page.getByRole('button', { name: /account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    assert.equal(await kept(page), null);
    await page.context().close();
  });
});
