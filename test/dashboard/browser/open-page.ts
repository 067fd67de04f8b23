import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { configure, queries, waitFor, within } from '@testing-library/dom';
import { userEvent } from '@testing-library/user-event';
import { type Answers, createApi, type FakeApi } from '../api/fake-api.ts';
import { NOW, WORLD } from '../api/world.ts';
import './load-components.ts';
import { browser, ORIGIN } from './open-window.ts';

/** How long something is waited for before a test fails. This does not measure speed: a machine may be busy. */
const PATIENCE_MS = 20_000;

configure({
  asyncUtilTimeout: PATIENCE_MS,
  // The page as people read it, in place of all its elements.
  getElementError: (message) =>
    new Error(`${message?.split('\n\n')[0]} in: ${document.body.textContent}`),
});

/** Loads the dashboard, once the window and the hooks are there. */
async function load() {
  const { timeoutManager } = await import('@tanstack/react-query');
  // Answers are kept for half an hour, which no test waits for.
  timeoutManager.setTimeoutProvider({
    setTimeout: (run, ms) => setTimeout(run, ms).unref(),
    setInterval: (run, ms) => setInterval(run, ms).unref(),
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
    clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
  });
  const { createRoot } = await import('react-dom/client');
  const { openApp } = await import('../../../src/dashboard/main.tsx');
  return { createRoot, openApp };
}

let loaded: ReturnType<typeof load> | undefined;

/** A part of a page, whose parts are found by role, label or text, as people do. */
export type Part = ReturnType<typeof within<typeof queries>>;

/** A page of the dashboard, with the API that it asks. */
export type OpenPage = {
  readonly screen: Part;
  readonly user: ReturnType<typeof userEvent.setup>;
  readonly api: FakeApi;
  /** A named part, such as a panel, a dialog or a table, once it is there. */
  readonly part: (role: string, name?: string | RegExp) => Promise<Part>;
  /** Waits until the address, without its host, is this or like this. */
  readonly reaches: (address: string | RegExp) => Promise<void>;
  /** Waits until a text is nowhere. */
  readonly loses: (text: string | RegExp) => Promise<void>;
  /** Opens the address anew, or another one; what the browser stores stays. */
  readonly open: (address?: string) => void;
};

/**
 * Opens the dashboard at an address, over the small world with other answers where told, until the test ends. The
 * test fails if a request or an answer broke its schema, or if something was logged as an error.
 */
export async function openPage(
  t: TestContext,
  address: string,
  answers: Answers = {},
): Promise<OpenPage> {
  loaded ??= load();
  const { createRoot, openApp } = await loaded;
  const api = createApi({ ...WORLD, ...answers });
  const logged = t.mock.method(console, 'error', () => {});
  t.mock.timers.enable({ apis: ['Date'], now: NOW });
  t.mock.method(globalThis, 'fetch', api.fetch as typeof fetch);
  let close = () => {};
  const open = (to: string) => {
    (document.activeElement as HTMLElement | null)?.blur(); // It would stay the target of keys.
    close();
    browser.happyDOM.setURL(ORIGIN + to);
    const element = document.createElement('div');
    document.body.replaceChildren(element);
    const root = createRoot(element);
    openApp(root);
    close = () => root.unmount();
  };
  open(address);
  t.after(() => {
    close();
    localStorage.clear();
    sessionStorage.clear();
    api.assertTrue();
    assert.deepEqual(
      logged.mock.calls.map((call) => call.arguments),
      [],
    );
  });
  const screen = within(document.body, queries);
  return {
    ...{ api, screen, user: userEvent.setup({ document }) },
    part: async (role, name) =>
      within(await screen.findByRole(role, name === undefined ? {} : { name }), queries),
    reaches: (wanted) =>
      waitFor(() => {
        const there = addressNow();
        if (typeof wanted === 'string') assert.equal(there, wanted);
        else assert.match(there, wanted);
      }),
    loses: (text) => waitFor(() => assert.ok(screen.queryByText(text) === null)),
    open: (to = addressNow()) => open(to),
  };
}

function addressNow(): string {
  const { pathname, search, hash } = window.location;
  return pathname + search + hash;
}
