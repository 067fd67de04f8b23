import type { Locator } from 'playwright-core';

/** The texts of the parts that are wider than their room. */
export function findCut(parts: Locator): Promise<string[]> {
  return parts.evaluateAll((all) =>
    (all as unknown as { scrollWidth: number; clientWidth: number; textContent: string }[])
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ textContent }) => textContent),
  );
}
