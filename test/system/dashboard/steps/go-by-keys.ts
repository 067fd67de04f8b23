import type { Page } from 'playwright-core';

const TRIES_MAX = 20;
const TRY_MS = 5_000;

/**
 * Opens a section by G and its letter. Presses both again if nothing happened: on a busy machine the letter may come
 * later than the dashboard waits for it, or both before it listens.
 */
export async function goByKeys(page: Page, letter: string, url: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    try {
      await page.waitForURL(url, { timeout: TRY_MS });
      return;
    } catch (error) {
      if (tries === TRIES_MAX) throw error;
    }
  }
}
