import type { Browser } from 'playwright-core';
import { keepOpen } from '../../run/keep-open.ts';
import { openBrowser, openPersonsBrowser } from './open-browser.ts';

/** The browser of this process's files. Each file closes what it has opened in it. */
export const shareBrowser = (): Promise<Browser> => keepOpen('browser', openBrowser);

/** A person's browser, shared in the same way. */
export const sharePersonsBrowser = (): Promise<Browser> =>
  keepOpen('browser of a person', openPersonsBrowser);
