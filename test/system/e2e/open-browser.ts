import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

/** A person's user agent: a headless one would turn every visitor into a bot. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36';

/** Makes `navigator.webdriver` read as it does for people. */
const UNDRIVEN = '--disable-blink-features=AutomationControlled';

/** Requests sent while leaving a page ignore the context's settings and use the browser's. */
const PERSONS = `--user-agent=${USER_AGENT}`;

const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Anything slower never comes, even on the busiest machine: nothing is judged by it. */
const PATIENCE_MS = 120_000;

/** Debian's path of Chromium, as people use it. */
export const CHROMIUM_PATH = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/**
 * Debian's path of Chromium without its windows: the same pages for half of the processor time.
 *
 * Why half: each window of the whole browser loads pages of its own, such as the suggestions of its address bar.
 */
const HEADLESS_SHELL_PATH = process.env.HEADLESS_SHELL_PATH ?? '/usr/bin/chromium-headless-shell';

/** Flags for a quiet browser that resolves every foreign host to this machine. */
export const PERSONS_ARGS: readonly string[] = [
  ...QUIET,
  UNDRIVEN,
  PERSONS,
  '--host-resolver-rules=MAP * 127.0.0.1',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** A browser for what people do on pages; to Tributary it is a bot, as its client hints say that it has no windows. */
export const openBrowser = () => launch(HEADLESS_SHELL_PATH);

/** A person's browser. */
export const openPersonsBrowser = () => launch(CHROMIUM_PATH);

/** Every foreign host is this machine: pages keep their real names, and no request leaves. */
async function launch(executablePath: string): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(
      `no browser at ${executablePath}: install chromium and chromium-headless-shell, or set CHROMIUM_PATH and HEADLESS_SHELL_PATH`,
    );
  }
  const browser = await chromium.launch({ executablePath, args: [...PERSONS_ARGS] });
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
