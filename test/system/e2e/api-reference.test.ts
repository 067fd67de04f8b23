import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { shareServer } from '../../server/share-server.ts';
import { findFaultsDayAndNight } from '../dashboard/find-faults.ts';
import { findCut } from '../dashboard/steps/find-cut.ts';
import { shareBrowser } from './share-browser.ts';

describe('the page of the API reference', () => {
  let page: Page;
  before(async () => {
    const [browser, { url }] = await Promise.all([shareBrowser(), shareServer()]);
    page = await browser.newPage();
    await page.goto(`${url}/docs`);
  });
  after(() => page?.close());

  it('fits any width, and breaks no name of a field', async () => {
    for (const width of [1440, 768, 360]) {
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await findCut(page.locator('html, section, section > *')), [], `${width}`);
      const names = page.locator('#createPayment dt code');
      const lines = await names.evaluateAll((all) =>
        (all as unknown as { getClientRects(): object[] }[]).map(
          (name) => name.getClientRects().length,
        ),
      );
      assert.ok(lines.length > 10);
      assert.deepEqual([...new Set(lines)], [1], `${width}`);
    }
  });

  it('reads well in both themes', async () => {
    // One operation is built like the others, which would take ten seconds.
    await page.locator('section[id]:not(#createPayment)').evaluateAll((all) => {
      for (const each of all as unknown as { remove(): void }[]) each.remove();
    });
    assert.deepEqual(await findFaultsDayAndNight(page), []);
  });
});
