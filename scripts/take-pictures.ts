import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DEMO, openDashboard, openSignedIn } from '../test/system/dashboard/open-dashboard.ts';

/**
 * Takes the pictures of README and docs from a fresh demo: `node scripts/take-pictures.ts`.
 *
 * Needs Chromium, as the system tests do.
 */

const FOLDER = fileURLToPath(new URL('../docs/images', import.meta.url));
const VISITORS = 20_000;
const THEMES = ['light', 'dark'] as const;

await mkdir(FOLDER, { recursive: true });
const dashboard = await openDashboard({ visitors: VISITORS });
for (const colorScheme of THEMES) {
  const page = await openSignedIn(dashboard.browser, dashboard.server, {
    ...{ colorScheme, viewport: { width: 1440, height: 1180 } },
  });
  await page.goto(`/${DEMO}`);
  await page.getByRole('button', { name: /^Visitors \d/ }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: `${FOLDER}/first-view-${colorScheme}.png` });
  await page.context().close();
}
await dashboard.close();
