import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openVisitor } from './open-browser.ts';
import { type RecordedEvent, type Recorder, recordEvents } from './record-events.ts';
import { shareBrowser } from './share-browser.ts';

/** One recorder for a file's tests, and the browser that files share; each test has its own visitor and page. */
export interface TrackedPage {
  readonly recorder: Recorder;
  readonly visitor: BrowserContext;
  page: Page;
  /** Goes to a path, on the recorder's port and host. */
  open(path: string, host?: string): Promise<unknown>;
  /** Reports a goal in the page. */
  goal(name: string): Promise<unknown>;
  /** Types of received events, goals by name, without time spent. */
  types(): string[];
}

/** Sets up a file's tests, and asserts after each that no page had an error. */
export function openTrackedPage(toHtml: (path: string, host: string) => string): TrackedPage {
  let browser: Browser;
  let faults: Error[] = [];
  const tracked = {
    open: (path: string, host = 'shop.example') =>
      tracked.page.goto(`http://${host}:${tracked.recorder.port}${path}`),
    goal: (name: string) => tracked.page.evaluate(`void tributary('goal', '${name}')`),
    types: () => tracked.recorder.events.filter(isDeed).map(({ type, name }) => name ?? type),
  } as { -readonly [Name in keyof TrackedPage]: TrackedPage[Name] };

  before(async () => {
    tracked.recorder = await recordEvents(toHtml);
    browser = await shareBrowser();
  });
  after(async () => {
    await tracked.recorder?.close();
  });
  beforeEach(async () => {
    tracked.recorder.clear();
    faults = [];
    tracked.visitor = await openVisitor(browser);
    tracked.visitor.on('weberror', (fault) => faults.push(fault.error()));
    tracked.page = await tracked.visitor.newPage();
  });
  afterEach(async () => {
    await tracked.visitor.close();
    assert.deepEqual(faults, [], 'no page was troubled');
  });
  return tracked;
}

function isDeed({ type }: RecordedEvent): boolean {
  return type !== 'engagement';
}
