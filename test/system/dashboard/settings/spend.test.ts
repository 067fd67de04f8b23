import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { waitUntil } from '../../../server/wait-until.ts';
import { findFaultsDayAndNight } from '../find-faults.ts';
import { DEMO, type OpenDashboard } from '../open-dashboard.ts';
import { shareDashboard } from '../share-dashboard.ts';
import { findCut } from '../steps/find-cut.ts';

const day = (ago: number) => Temporal.Now.plainDateISO('UTC').subtract({ days: ago }).toString();
const CSV = `date,source,medium,campaign,amount,currency
${day(3)},google,cpc,autumn,120.50,EUR
${day(4)},fb,paid_social,,30,EUR
`;

describe('Settings → Spend', () => {
  let dashboard: OpenDashboard;
  before(async () => {
    dashboard = await shareDashboard();
  });
  after(() => dashboard?.close());

  async function askCost(): Promise<string> {
    const data = { site_id: DEMO, metrics: ['cost'], date_range: '30d' };
    const headers = { 'x-site-id': DEMO };
    return (await dashboard.page.request.post('/api/v1/query', { data, headers })).text();
  }

  const choose = (name: string, text: string) =>
    dashboard.page
      .getByLabel('Choose a CSV file')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

  it('says what is wrong with a file, and records nothing of it', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}`);
    await page.getByRole('button', { name: /^Bounce rate/ }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^ROAS/ }).count(), 0);
    await page.goto(`/${DEMO}/settings/spend`);
    await page.getByText('Nothing has been imported.').waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    assert.deepEqual(await findCut(page.locator('main section')), []);
    const example = page.getByText('date,source,medium,campaign,amount,currency');
    assert.equal((await example.boundingBox())?.height, 40, 'two lines');
    await page.setViewportSize({ width: 1_440, height: 900 });
    await choose('wrong.csv', CSV.replace('120.50', '120 and a half'));
    await page.getByText('1 line is wrong, so nothing is recorded.').waitFor();
    await page.getByRole('cell', { name: 'must be a number, such as 1234.50' }).waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await choose('empty.csv', 'day,amount\n1,2\n');
    await page.getByText('The file lacks date, source, currency.').waitFor();
  });

  it('records a file that was tried, and cost and ROAS stand beside revenue', async () => {
    const { page } = dashboard;
    await choose('ads.csv', CSV);
    await page.getByText('2 new').waitFor();
    await page.getByRole('button', { name: 'Record 2 costs' }).click();
    await page.getByText('Recorded €150.50 of ads.csv.').waitFor();
    await page.getByRole('row', { name: /ads\.csv.* €150\.50/ }).waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await waitUntil(askCost, (text) => text.includes('150.50')); // Else the page asks again in a minute.
    await page.goto(`/${DEMO}`);
    await page.getByRole('button', { name: /^Cost €150.5/ }).waitFor();
    await page.getByRole('button', { name: /^ROAS .*×/ }).waitFor();
    const panel = page.getByLabel('Where visitors come from');
    await panel.getByRole('button', { name: 'Compare by: Revenue' }).click();
    await page.getByRole('menuitemradio', { name: 'Spend' }).click();
    await panel.getByRole('row', { name: /Paid Social.*30/ }).waitFor();
    await panel.getByRole('columnheader', { name: 'ROAS' }).waitFor();
  });

  it('shows no costs where a cost has no answer, and no query fails', async () => {
    const { page } = dashboard;
    const refused: string[] = [];
    page.on('response', async (response) => {
      if (response.status() < 400) return;
      refused.push(`${response.url()}: ${await response.text()}`);
    });
    for (const search of [
      '?period=today',
      '?f=is,visit:country,DE',
      '?panel=countries',
      '?panel=sources',
      '?period=all',
    ]) {
      await page.goto(`/${DEMO}${search}`);
      // Details that the URL opens hide the cards from the accessibility tree.
      await page
        .getByRole('button', { name: /^Visitors/, includeHidden: true })
        .first()
        .waitFor();
      await page.waitForLoadState('networkidle');
    }
    assert.deepEqual(refused, []);
  });

  it('removes an import, and the costs leave', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/settings/spend`);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Nothing has been imported.').waitFor();
  });
});
