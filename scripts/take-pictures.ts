import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DEMO, openDashboard, openSignedIn } from '../test/system/dashboard/open-dashboard.ts';

/**
 * Takes the screenshots for README and docs from a fresh demo: `node scripts/take-pictures.ts`.
 *
 * Needs Chromium's headless shell, as the system tests do.
 */

const FOLDER = fileURLToPath(new URL('../docs/images', import.meta.url));
const VISITORS = 20_000;
const THEMES = ['light', 'dark'] as const;
/** Panels whose rows must be loaded: a screenshot of a loading page sells nothing. */
const PANELS_IN_SIGHT = 4;
/** Chromium renders in software, and the machine may be busy. */
const PATIENCE_MS = 120_000;

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
if (values.help) {
  process.stdout.write(
    'usage: node scripts/take-pictures.ts: takes the screenshots in docs/images anew\n',
  );
  process.exit();
}
await mkdir(FOLDER, { recursive: true });
const dashboard = await openDashboard({ visitors: VISITORS });
for (const colorScheme of THEMES) {
  const page = await openSignedIn(dashboard.browser, dashboard.server, {
    ...{ colorScheme, viewport: { width: 1440, height: 1180 } },
  });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`/${DEMO}`);
  await page.getByRole('button', { name: /^Visitors \d/ }).waitFor();
  await page
    .getByText(/^\d+ of \d+$/)
    .nth(PANELS_IN_SIGHT - 1)
    .waitFor();
  await page.locator('[aria-busy=true]').last().waitFor({ state: 'detached' });
  // What rows are compared with is asked for last. The first table is the chart's.
  for (let panel = 1; panel <= PANELS_IN_SIGHT; panel += 1) {
    await page.getByRole('table').nth(panel).getByText(/[▲▼]/).first().waitFor();
  }
  await page.screenshot({ path: `${FOLDER}/first-view-${colorScheme}.png` });
  await page.context().close();
}
await dashboard.close();
process.exit(); // The browser that tests share waits for their end.
