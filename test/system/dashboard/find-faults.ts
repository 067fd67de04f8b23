import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The axe rules that depend on colours. */
const ABOUT_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Axe runs the rules with this tag only when they are asked for. */
const ASKED_FOR = 'wcag22aa';

/** Axe's findings on a page, or in a part of it: one line per violated rule. */
export function findFaults(page: Page, part = 'html'): Promise<string[]> {
  return runAxe(page, part, {});
}

/** The same in light and dark mode; in the dark only for rules about colours. */
export async function findFaultsDayAndNight(page: Page, part = 'html'): Promise<string[]> {
  const byDay = await findFaults(page, part);
  // Colours in transition belong to neither mode.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const byNight = await runAxe(page, part, { runOnly: ABOUT_COLOURS });
  await page.emulateMedia({ colorScheme: null });
  return [...byDay, ...byNight.map((fault) => `dark: ${fault}`)];
}

/** Without style sheets fetched again, for a rule that is not asked for. */
const LEAN = { resultTypes: ['violations'], preload: false };

type AxeOptions = {
  readonly runOnly?: readonly string[];
  readonly rules?: Readonly<Record<string, { readonly enabled: true }>>;
  readonly resultTypes?: readonly string[];
};
type Axe = {
  getRules(tags: readonly string[]): { ruleId: string }[];
  run(
    part: string,
    options: AxeOptions,
  ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
};

/** A page's animations; transitions have a property. */
type Moving = { getAnimations(): { finish(): void; readonly transitionProperty?: string }[] };

/** Figures are pale while newer ones are on their way, as controls that cannot be used are. */
const PALE = '[data-old=true]';
const PALE_MAX_MS = 60_000;

async function runAxe(page: Page, part: string, options: AxeOptions): Promise<string[]> {
  const current = page.locator(PALE).first().waitFor({ state: 'detached', timeout: PALE_MAX_MS });
  await current.catch(() => {}); // Axe then says what stays pale.
  // The page's policy allows no script element.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE);
  // A window covers parts of buttons, which are no smaller for it: it has to be checked apart.
  const isCovered = part === 'html' && (await page.getByRole('dialog').count()) > 0;
  const isForMore = options.runOnly === undefined && !isCovered;
  return page.evaluate(
    async ([selector, chosen, tag, isForMore]) => {
      const { axe, document } = globalThis as unknown as { axe: Axe; document: Moving };
      // Colours in transition belong to neither state.
      for (const each of document.getAnimations()) if (each.transitionProperty) each.finish();
      const more = axe.getRules([tag]).map(({ ruleId }) => [ruleId, { enabled: true }] as const);
      const rules = isForMore ? Object.fromEntries(more) : {};
      const { violations } = await axe.run(selector, { ...chosen, rules });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
    [part, { ...options, ...LEAN }, ASKED_FOR, isForMore] as const,
  );
}
