import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { InsightsAnswer } from '#contract/reports/insights.ts';
import { findFaultsDayAndNight } from './find-faults.ts';
import { DEMO, type OpenDashboard } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';

describe('insights', () => {
  let dashboard: OpenDashboard;
  before(async () => {
    dashboard = await shareDashboard();
  });
  after(() => dashboard?.close());

  it('are what the API says of the demo, or silence, without faults', async () => {
    const { page } = dashboard;
    const answered = page.waitForResponse('**/api/v1/insights');
    await page.goto(`/${DEMO}/insights`);
    const response = await answered;
    assert.equal(response.status(), 200);
    const { results } = (await response.json()) as InsightsAnswer;
    const [first] = results;
    await page.getByText(first?.sentence ?? 'Nothing stands out this week').waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
  });
});
