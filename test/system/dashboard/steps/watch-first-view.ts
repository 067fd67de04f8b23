import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** Looking takes processor time from what is looked at. */
const LOOK_EVERY_MS = 50;
const PATIENCE_MS = 120_000;

/** When something appears, in milliseconds since the browser opened the address. */
export type Feel = {
  readonly firstContentMs: number;
  readonly cardsMs: number;
  readonly firstPanelMs: number;
  readonly allPanelsMs: number;
};

/** What the screen shows; loading panels are grey bars. */
const LOOK = `(() => {
  const panels = [...document.querySelectorAll('main [data-panel]')];
  const isWaiting = (part) => part.querySelector('[class*="skeleton" i], [class*="bones" i]') !== null;
  return {
    now: performance.now(),
    firstContentMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    cards: [...document.querySelectorAll('main button')].some((each) => /^Visitors\\s*[\\d,.KM]+/.test(each.textContent)),
    panels: panels.length,
    ready: panels.filter((panel) => !isWaiting(panel)).length,
  };
})()`;

type Look = {
  readonly now: number;
  readonly firstContentMs: number | undefined;
  readonly cards: boolean;
  readonly panels: number;
  readonly ready: number;
};
const PANELS = 6;

/** Watches the first view of a site from when its page was opened until every panel is there. */
export async function watchFirstView(page: Page): Promise<Feel> {
  let [cardsMs, firstPanelMs] = [0, 0];
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    const look = await page.evaluate<Look>(LOOK).catch(() => undefined);
    if (look?.cards && cardsMs === 0) cardsMs = look.now;
    if (look !== undefined && look.ready > 0 && firstPanelMs === 0) firstPanelMs = look.now;
    if (look?.cards && look.panels >= PANELS && look.ready === look.panels) {
      const { firstContentMs = Number.NaN, now: allPanelsMs } = look;
      return { firstContentMs, cardsMs, firstPanelMs, allPanelsMs };
    }
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`The first view was not there within ${PATIENCE_MS / 1_000} seconds.`);
}
