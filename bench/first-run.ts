import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { callerOf } from '../test/server/caller.ts';
import { startServer, type TestServer } from '../test/server/start-server.ts';
import { waitUntil } from '../test/server/wait-until.ts';
import { OWNER } from '../test/system/dashboard/open-dashboard.ts';
import { openBrowser } from '../test/system/e2e/open-browser.ts';

const USAGE = `usage: npm run bench -- first-run [--json]

Times a first run: clones the last commit, installs it, starts it, creates a login, adds a site and reports a
payment, until the dashboard shows the source of the revenue. Needs the npm registry and Chromium's headless
shell.
`;

const HERE = fileURLToPath(new URL('..', import.meta.url));
const SITE = 'tea.example';
const VISITOR = '3b241101-e2bb-4255-8caf-4136c566a962';
const PATIENCE_MS = 180_000;
/** How long a page may take to show the row before it is loaded again. */
const LOOK_MS = 3_000;

const run = promisify(execFile);

/** The command `npm run bench -- first-run`. */
export async function runFirstRun(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stderr.write(USAGE);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tributary-first-run-'));
  try {
    const steps = await timeFirstRun(folder);
    process.stdout.write(values.json ? `${JSON.stringify(steps)}\n` : toText(steps));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A step, and the seconds from the start of `npm ci` to its end. */
type Step = readonly [name: string, seconds: number];

async function timeFirstRun(folder: string): Promise<Step[]> {
  const checkout = join(folder, 'tributary');
  await run('git', ['clone', '--quiet', HERE, checkout]);
  const startedAt = performance.now();
  const steps: Step[] = [];
  const note = (name: string) => {
    steps.push([name, Number(((performance.now() - startedAt) / 1_000).toFixed(1))]);
  };
  await run('npm', ['ci'], { cwd: checkout });
  note('installed');
  const server = await startServer({ checkout, dataDir: join(folder, 'data') });
  note('server ready');
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ baseURL: server.url, locale: 'en-GB' });
    page.setDefaultTimeout(PATIENCE_MS);
    const key = await setUp(page, server);
    note('login, site and key');
    const shop = callerOf(server.url, SITE, key);
    await shop.pageview(VISITOR, '/pricing?utm_source=newsletter');
    const payment = { transaction_id: 'order-1', amount: 29.99, currency: 'EUR' };
    const { status } = await shop.payment({ ...payment, service_visitor_id: VISITOR });
    if (status !== 200) throw new Error(`The payment was refused with ${status}.`);
    await untilShown(page);
    note('revenue by source on screen');
  } finally {
    await browser.close();
    await server.stop();
  }
  return steps;
}

/** The first steps that the dashboard guides through. Resolves with the backend's key. */
async function setUp(page: Page, { startUrl = '' }: TestServer): Promise<string> {
  await page.goto(`/start${new URL(startUrl).hash}`);
  await page.getByLabel('Your name').fill(OWNER.name);
  await page.getByLabel('E-mail').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Create login' }).click();
  await page.getByLabel('Domain').fill(SITE);
  await page.getByLabel('Currency').selectOption('EUR');
  await page.getByRole('button', { name: 'Add site' }).click();
  await page.getByRole('button', { name: 'Create a key for the backend' }).click();
  return (await page.getByRole('region', { name: 'The new key' }).innerText()).trim();
}

/** A row of the sources with its revenue; events take seconds to reach the warehouse. */
async function untilShown(page: Page): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: 'newsletter' }).filter({ hasText: '€29.99' });
  const look = async () => {
    await page.goto(`/${SITE}?period=day&tab=sources`);
    return row.waitFor({ timeout: LOOK_MS }).then(
      () => true,
      () => false,
    );
  };
  await waitUntil(look, (isThere) => isThere, PATIENCE_MS);
}

function toText(steps: readonly Step[]): string {
  const rows = steps.map(([name, seconds]) => `| ${name} | ${seconds.toFixed(1)} s |\n`);
  return `| from the start of \`npm ci\` until | seconds |\n|---|---|\n${rows.join('')}`;
}
