import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const ASK_EVERY_MS = 250;
const PATIENCE_MS = 120_000;

/** When something appears, in milliseconds since the browser opened the address. */
export type Feel = {
  readonly firstContentMs: number;
  readonly cardsMs: number;
  readonly firstPanelMs: number;
  readonly allPanelsMs: number;
};

/**
 * Notes when something of the first view is shown; loading panels are grey bars.
 *
 * Why in the page, for each frame that changes it: asking from outside takes processor time from what is watched,
 * and sees it late.
 */
const WATCH = `(() => {
  const PANELS = 6;
  const feel = (globalThis.firstViewFeel = {});
  const isWaiting = (part) => part.querySelector('[class*="skeleton" i], [class*="bones" i]') !== null;
  const note = (name, now) => { feel[name] ??= now; };
  let isLooking = false;
  const look = () => {
    isLooking = false;
    const now = performance.now();
    const panels = [...document.querySelectorAll('main [data-panel]')];
    const ready = panels.filter((panel) => !isWaiting(panel)).length;
    const hasCards = [...document.querySelectorAll('main button')]
      .some((each) => /^Visitors\\s*≈?\\s*\\d/.test(each.textContent));
    if (hasCards) note('cardsMs', now);
    if (ready > 0) note('firstPanelMs', now);
    if (!hasCards || panels.length < PANELS || ready < panels.length) return;
    note('allPanelsMs', now);
    changes.disconnect();
  };
  const changes = new MutationObserver(() => {
    if (!isLooking) requestAnimationFrame(look);
    isLooking = true;
  });
  changes.observe(document, {
    childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ['class'],
  });
})()`;

/** What {@link WATCH} noted once all is there; else undefined. */
const READ = `(() => {
  const feel = globalThis.firstViewFeel;
  if (feel?.allPanelsMs === undefined) return undefined;
  const firstContentMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
  return firstContentMs === undefined ? undefined : { firstContentMs, ...feel };
})()`;

/** Opens the first view of a site, and watches it until every panel is there. */
export async function watchFirstView(page: Page, address: string): Promise<Feel> {
  await page.addInitScript(WATCH);
  await page.goto(address, { waitUntil: 'commit' });
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    const feel = await page.evaluate<Feel | undefined>(READ).catch(() => undefined);
    if (feel !== undefined) return feel;
    await sleep(ASK_EVERY_MS);
  }
  throw new Error(`The first view was not there within ${PATIENCE_MS / 1_000} seconds.`);
}
