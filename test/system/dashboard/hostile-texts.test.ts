import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { addCaller } from '../../server/caller.ts';
import { waitUntil } from '../../server/wait-until.ts';
import type { OpenDashboard } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';
import { askApi } from './steps/ask-api.ts';

const SITE = 'tea.example';
const FIRST_VIEW = `/${SITE}?period=today`;
const VISITOR = '3b241101-e2bb-4255-8caf-4136c566a962';
const SCRIPT = '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const PLAIN = encodeURIComponent(SCRIPT);
/** By then, what a page shows has also run. */
const TWO_FRAMES =
  'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Every text that someone without a login, or with a key, can make the dashboard show. */
describe('scripts in texts of strangers', () => {
  let dashboard: OpenDashboard;
  let page: Page;
  /** The errors in the browser's console, such as scripts that the page's policy refused. */
  const printed: string[] = [];

  before(async () => {
    dashboard = await shareDashboard();
    const { server } = dashboard;
    page = dashboard.page;
    page.on('console', (message) => {
      if (message.type() === 'error') printed.push(message.text());
    });
    const caller = await addCaller(server.url, server.dataDir, SITE);
    const tags = ['source', 'medium', 'campaign', 'term', 'content'].map(
      (name) => `utm_${name}=${PLAIN}`,
    );
    const event = {
      ...{ site: SITE, type: 'pageview', service_visitor_id: VISITOR, title: SCRIPT },
      url: `https://${SITE}/a/${PLAIN}?${tags.join('&')}`,
      referrer: `https://evil.example/${PLAIN}`,
      user_agent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    };
    await taken(caller.post('/api/v1/events', event));
    await taken(caller.post('/api/v1/events', { ...event, url: `https://${SITE}/b?${tags[0]}` }));
    await taken(
      caller.post('/api/v1/goals', {
        ...{ service_visitor_id: VISITOR, name: 'signup', metadata: { plan: SCRIPT } },
      }),
    );
    await taken(
      caller.post('/api/v1/identify', {
        ...{ service_visitor_id: VISITOR, user_id: SCRIPT, traits: { name: SCRIPT, note: SCRIPT } },
      }),
    );
    await taken(
      caller.payment({
        ...{ amount: 10, currency: 'USD', transaction_id: `t-${SCRIPT}`, name: SCRIPT },
        ...{ service_visitor_id: VISITOR, customer_id: SCRIPT, email: 'ada@tea.example' },
        ...{ product: SCRIPT },
      }),
    );
    await waitUntil(
      async () => (await caller.query({ metrics: ['visitors', 'revenue'] })).body,
      (body) => JSON.stringify(body).includes('"value":"10.00"'),
    );
    const headers = { origin: server.url };
    for (const [what, body] of [
      ['segments', { name: SCRIPT, filters: [['is', 'visit:source', [SCRIPT]]], shared: true }],
      ['annotations', { at: new Date().toISOString().slice(0, 10), text: SCRIPT }],
    ] as const) {
      const saved = await page.request.post(`/api/v1/sites/${SITE}/${what}`, {
        headers,
        data: body,
      });
      assert.equal(saved.status(), 200, await saved.text());
    }
  });
  after(() => dashboard?.close());

  async function taken(answer: Promise<{ readonly status: number; readonly body: unknown }>) {
    const { status, body } = await answer;
    assert.ok(status < 300, JSON.stringify(body));
  }

  /** Goes to a page; returns whether it shows the text as text. */
  async function showsAt(path: string): Promise<boolean> {
    await page.goto(path);
    // A dialog that the URL opens hides the rest of the page from the accessibility tree.
    const sections = { name: 'Sections', includeHidden: true };
    await page.getByRole('navigation', sections).waitFor();
    // The live view's stream never goes idle, and panels may come after the network was idle.
    if (path.includes('/live') || path === FIRST_VIEW)
      await page.getByText('onerror').first().waitFor();
    else await page.waitForLoadState('networkidle');
    await page.evaluate(TWO_FRAMES);
    return assertHarmless(path);
  }

  async function assertHarmless(where: string): Promise<boolean> {
    assert.equal(await page.evaluate('typeof window.hacked'), 'undefined', where);
    assert.equal(await page.locator('img[src="x"]').count(), 0, where);
    assert.deepEqual(printed, [], where);
    const text = (await page.locator('body').textContent()) ?? '';
    return text.includes('onerror') || text.includes(encodeURIComponent('onerror='));
  }

  it('run in no panel, whatever tab is open', async () => {
    assert.ok(await showsAt(FIRST_VIEW), 'the first view shows it');
    await page.getByRole('button', { name: 'Campaigns', exact: true }).waitFor();
    const tabs = await page.locator('main button[aria-pressed]').all();
    assert.ok(tabs.length > 10, `${tabs.length} tabs`);
    let shown = 0;
    for (const tab of tabs) {
      await tab.click();
      await page.waitForTimeout(300);
      if (await assertHarmless((await tab.textContent()) ?? '')) shown += 1;
    }
    assert.ok(shown > 5, `${shown} tabs show it`);
  });

  it('run on no other page, in no dialog and no title', async () => {
    const query = { site_id: SITE, date_range: 'day' };
    const [person] = await askApi<{ person_id: string }>(dashboard, '/api/v1/query/persons', query);
    const payment = encodeURIComponent(`t-${SCRIPT}`);
    const filter = encodeURIComponent(`is,visit:source,${SCRIPT}`);
    const showing: string[] = [];
    for (const path of [
      ...['attribution', 'journeys', 'people', 'payments', 'live', 'settings/health'],
      ...[`people/${person?.person_id}`, `payments/${payment}`],
      ...[
        `?f=${filter}`,
        'attribution?panel=sources',
        '?panel=campaigns',
        '?panel=properties&property=plan',
      ],
      `funnels?step=${encodeURIComponent(`page,/${SCRIPT}`)}&step=payment`,
      `journeys?start=${encodeURIComponent(`page,/${SCRIPT}`)}`,
      `payments?search=${PLAIN}`,
    ]) {
      const period = path.includes('?') ? '&period=today' : '?period=today';
      if (await showsAt(`/${SITE}/${path}${period}`.replace('/?', '?'))) showing.push(path);
    }
    for (const path of ['people', 'payments', 'live', `people/${person?.person_id}`]) {
      assert.ok(showing.includes(path), `${path} of ${showing}`);
    }
  });

  it('run in no menu of what is saved, and in no note', async () => {
    await showsAt(FIRST_VIEW);
    await page.getByRole('button', { name: 'Segments' }).click();
    await page.getByText('onerror').first().waitFor();
    await assertHarmless('segments');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('onerror');
    await page.waitForTimeout(300);
    await assertHarmless('the palette');
  });
});
