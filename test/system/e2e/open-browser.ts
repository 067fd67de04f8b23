import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

/** A person's browser: what a headless one says of itself would make every visitor a bot. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36';

/** So that `navigator.webdriver` says what it says to people. */
const UNDRIVEN = '--disable-blink-features=AutomationControlled';

/** What is sent while a page is left knows nothing of the visitor's settings, only of the browser's. */
const PERSONS = `--user-agent=${USER_AGENT}`;

const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What takes longer never comes, on the busiest machine: nothing is judged by it. */
const PATIENCE_MS = 120_000;

/** Where Debian has its Chromium. */
export const CHROMIUM_PATH = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** What makes a browser quiet, and every host but this machine's own this machine. */
export const PERSONS_ARGS: readonly string[] = [
  ...QUIET,
  UNDRIVEN,
  PERSONS,
  '--host-resolver-rules=MAP * 127.0.0.1',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/**
 * Debian's Chromium, for which every host but this machine's own is this machine: pages keep their
 * real names and no request leaves.
 *
 * - Throws when Chromium is missing, naming the variable that says where it is.
 */
export async function openBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM_PATH)) {
    throw new Error(`no browser at ${CHROMIUM_PATH}: install chromium, or set CHROMIUM_PATH`);
  }
  const browser = await chromium.launch({
    executablePath: CHROMIUM_PATH,
    args: [...PERSONS_ARGS],
  });
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
  return browser;
}

/** A new visitor: a browser without cookies. */
export function openVisitor(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({
    userAgent: USER_AGENT,
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
  });
}
