import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on a page, or in a part of it: a line for each rule that it breaks. */
export async function findFaults(page: Page, part = 'html'): Promise<string[]> {
  await page.evaluate(AXE); // A script element is nothing that the page's policy lets in.
  return page.evaluate(async (selector) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(part: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run(selector);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, part);
}
