import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findFaultsDayAndNight } from './find-faults.ts';
import { DEMO, type OpenDashboard } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';
import { askApi } from './steps/ask-api.ts';

const FUNNEL = `/${DEMO}/funnels?step=page,/teas&step=goal,add_to_cart&step=payment`;

describe('funnels', () => {
  let dashboard: OpenDashboard;
  before(async () => {
    dashboard = await shareDashboard();
  });
  after(() => dashboard?.close());

  it('begin with one of the proposals, made of the goals of the site', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/funnels`);
    await page.getByRole('link', { name: /add_to_cart.*Any payment/ }).click();
    await page.waitForURL(/step=goal,add_to_cart&step=payment$/);
    await page.getByText('went all the way').waitFor();
  });

  it('show the numbers that the API gives', async () => {
    const { page } = dashboard;
    type Funnel = { steps: { reached: number }[] };
    const [funnel] = await askApi<Funnel>(dashboard, '/api/v1/query/funnel', {
      date_range: '30d',
      steps: [
        { type: 'page', path: '/teas' },
        { type: 'goal', name: 'add_to_cart' },
        { type: 'payment' },
      ],
      within: { days: 7 },
    });
    const counts = funnel?.steps.map(({ reached }) => reached) ?? [];
    assert.ok((counts[0] ?? 0) > 0);
    await page.goto(`${FUNNEL}&within=7d`);
    await page.getByText(`${counts[2]} of ${counts[0]} people`).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'add_to_cart' })
      .getByText(String(counts[1]), { exact: true })
      .waitFor();
  });

  it('have nothing that axe finds, by day and by night', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/funnels`);
    await page.getByRole('link', { name: /add_to_cart/ }).waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await page.goto(FUNNEL);
    await page.getByText('went all the way').waitFor();
    await page.getByRole('row').nth(1).waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await page.getByRole('button', { name: 'Add a step' }).click();
    await page.getByRole('button', { name: 'Any payment', exact: true }).waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
  });
});
