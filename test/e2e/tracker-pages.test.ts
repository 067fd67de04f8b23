import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { findVisitStart } from '#domain/visit/visit-start.ts';
import { instantOfUuid } from '#ingest/new-uuid.ts';
import { waitUntil } from '../wait-until.ts';
import { openBrowser, openVisitor } from './open-browser.ts';
import { type Recorder, recordEvents } from './record-events.ts';
import { toTrackedPage } from './tracked-pages.ts';

describe('the tracker on a page', () => {
  let browser: Browser;
  let recorder: Recorder;
  let visitor: BrowserContext;
  let page: Page;
  let faults: Error[];

  before(async () => {
    recorder = await recordEvents(toTrackedPage);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await recorder?.close();
  });
  beforeEach(async () => {
    recorder.clear();
    faults = [];
    visitor = await openVisitor(browser);
    page = await visitor.newPage();
    page.on('pageerror', (fault) => faults.push(fault));
  });
  afterEach(async () => {
    await visitor.close();
    assert.deepEqual(faults, [], 'no page was troubled');
  });

  const open = (path: string, host = 'shop.example') =>
    page.goto(`http://${host}:${recorder.port}${path}`);
  const goal = (name: string) => page.evaluate(`void tributary('goal', '${name}')`);
  const types = () => recorder.events.map(({ type, name }) => name ?? type);
  const pathOf = (url: string | undefined) => new URL(url ?? '').pathname;

  it('tells, as the page is left, how long it was visible and how much of it was read', async () => {
    await open('/acts');
    await recorder.waitFor(1);
    await page.evaluate('scrollTo(0, 800)');
    await goal('later');
    await open('/next');
    const [spent] = await recorder.waitForType('engagement');
    assert.equal(pathOf(spent?.url), '/acts');
    assert.ok((spent?.engagement_ms ?? 0) > 0 && (spent?.engagement_ms ?? 0) < 5_000);
    assert.ok((spent?.scroll_depth ?? 0) > 30 && (spent?.scroll_depth ?? 0) < 90);
    const [shown] = recorder.events;
    assert.equal(spent?.visit_id, shown?.visit_id);
  });

  it('reports goals that elements name, with their properties', async () => {
    await open('/acts');
    await page.getByText('Sign up').click();
    const [signup] = await recorder.waitForType('goal');
    assert.equal(signup?.name, 'signup');
    assert.deepEqual(signup?.metadata, { plan: 'pro', seats: '3' });
  });

  it('reports a scroll goal once, when it comes into view, and none that is hidden', async () => {
    await open('/acts');
    await recorder.waitFor(1);
    await page.evaluate('scrollTo(0, 9999)');
    const [seen] = await recorder.waitForType('goal');
    await page.evaluate('scrollTo(0, 0), scrollTo(0, 9999)');
    await goal('end');
    await recorder.waitForType('goal', 2);
    assert.equal(seen?.name, 'pricing_seen');
    assert.deepEqual(seen?.metadata, { part: 'prices' });
    assert.deepEqual(types(), ['pageview', 'pricing_seen', 'end']);
  });

  it('reports links to other hosts and downloads, and no link within the site', async () => {
    await open('/acts');
    await page.evaluate("addEventListener('click', (event) => event.preventDefault())");
    for (const id of ['near', 'out', 'file']) await page.locator(`#${id}`).click();
    await page.locator('#out').click({ button: 'right' });
    await page.locator('#out').click({ button: 'middle' });
    const [, out, file, again] = await recorder.waitFor(4);
    assert.equal(out?.type, 'outbound');
    assert.equal(out?.target, `http://elsewhere.example:${recorder.port}/there?a=1`);
    assert.equal(file?.type, 'download');
    assert.equal(pathOf(file?.target), '/missing/prices.PDF');
    assert.equal(again?.type, 'outbound');
  });

  it('gives payment links of Stripe the visitor’s id, unless they have another', async () => {
    await open('/acts');
    const [shown] = await recorder.waitFor(1);
    await page.evaluate(`addEventListener('click', (event) => {
      event.preventDefault();
      (window.followed ??= []).push(event.target.search);
    })`);
    for (const id of ['pay', 'paid']) await page.locator(`#${id}`).click();
    assert.deepEqual(await page.evaluate('followed'), [
      `?&client_reference_id=${shown?.service_visitor_id}`,
      '?client_reference_id=mine',
    ]);
    await waitUntil(
      () => page.evaluate("document.querySelector('#pay').search"),
      (search) => search === '',
    );
  });

  it('carries visitor and visit to another domain of the site, and cleans the address', async () => {
    await open('/linked');
    await recorder.waitFor(1);
    await page.getByText('Tea').click();
    const [there, here] = await recorder.waitFor(2);
    assert.equal(here?.service_visitor_id, there?.service_visitor_id);
    assert.equal(here?.visit_id, there?.visit_id);
    assert.equal(here?.url, `http://tea.example:${recorder.port}/linked?x=1`);
    assert.equal(await page.evaluate('location.href'), here?.url);
  });

  it('takes no ids from a link of a stranger, or one that is a minute old', async () => {
    const ids = (at: number) => `&tributary=mallory~${'0'.repeat(36)}${at}`;
    await open(`/linked?x=1${ids(Date.now())}`);
    const [event] = await recorder.waitFor(1);
    assert.notEqual(event?.service_visitor_id, 'mallory');
    assert.equal(event?.url, `http://shop.example:${recorder.port}/linked?x=1`);
    await page.evaluate(
      `location.href = '//tea.example:${recorder.port}/linked?${ids(Date.now() - 61_000)}'`,
    );
    const [, later] = await recorder.waitFor(2);
    assert.notEqual(later?.service_visitor_id, 'mallory');
  });

  it('is silent in a frame unless told to speak', async () => {
    await open('/framing');
    const events = await recorder.waitFor(2);
    assert.deepEqual(events.map(({ url }) => pathOf(url)).sort(), ['/framing', '/in-frame']);
  });

  it('is silent for who wants to be ignored', async () => {
    await page.addInitScript("localStorage.tributary_ignore = 'true'");
    await open('/');
    await goal('never');
    assert.deepEqual(await visitor.cookies(), []);
    assert.deepEqual(types(), []);
  });

  it('sends again what happened offline, once, when the connection is back', async () => {
    await open('/');
    await recorder.waitFor(1);
    await visitor.setOffline(true);
    await goal('offline');
    await waitUntil(
      () => page.evaluate('localStorage.tributary_queue'),
      (queue) => String(queue).includes('offline'),
    );
    await visitor.setOffline(false);
    const [again] = await recorder.waitForType('goal');
    assert.equal(again?.retry, true);
    assert.ok(again?.sent_at);
    await waitUntil(
      () => page.evaluate('localStorage.tributary_queue'),
      (queue) => queue === '[]',
    );
    assert.equal(types().filter((type) => type === 'offline').length, 1);
  });

  it('sends on the next page what the server could not take', async () => {
    recorder.mood = 'unavailable';
    await open('/');
    await waitUntil(
      () => page.evaluate('localStorage.tributary_queue'),
      (queue) => String(queue).includes('pageview'),
    );
    recorder.mood = 'well';
    await open('/next');
    await waitUntil(
      async () => recorder.events.filter(({ url }) => pathOf(url) === '/next').length,
      (count) => count > 0,
    );
    const shown = recorder.events.filter(({ type }) => type === 'pageview');
    const retried = shown.filter(({ url }) => pathOf(url) === '/');
    assert.ok(retried.length > 0 && retried.every(({ retry }) => retry === true));
    assert.equal(new Set(retried.map(({ event_id }) => event_id)).size, 1);
    assert.equal(shown.at(-1)?.retry, undefined);
  });

  it('keeps twenty waiting events at most', async () => {
    recorder.mood = 'unavailable';
    await open('/');
    await page.evaluate("for (let i = 0; i < 40; i++) tributary('goal', 'g' + i)");
    await waitUntil(
      () => page.evaluate('localStorage.tributary_queue'),
      (queue) => JSON.parse(String(queue ?? '[]')).length === 20,
    );
  });

  it('holds no page up when its server never answers', async () => {
    recorder.mood = 'silent';
    const begun = performance.now();
    await open('/');
    for (let count = 0; count < 3; count++) await goal('unheard');
    await open('/next');
    assert.equal(await page.evaluate('document.readyState'), 'complete');
    assert.ok(performance.now() - begun < 5_000);
  });

  it('holds no page up when it is blocked itself', async () => {
    await open('/blocked');
    await goal('unheard');
    assert.equal(await page.evaluate('tributary.q.length'), 2);
  });

  it('keeps one visitor and visit in a page whose browser keeps nothing', async () => {
    await page.addInitScript(`
      Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} });
      Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked') } });`);
    await open('/');
    await goal('again');
    const [first, second] = await recorder.waitFor(2);
    assert.equal(second?.service_visitor_id, first?.service_visitor_id);
    assert.equal(second?.visit_id, first?.visit_id);
  });

  for (const path of ['/cookieless', '/gpc']) {
    it(`keeps nothing in the browser at ${path}, and learns the visitor from the server`, async () => {
      recorder.answer = { service_visitor_id: 'daily-1' };
      await page.addInitScript(
        "Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => true })",
      );
      await open(path);
      const [event] = await recorder.waitFor(1);
      await waitUntil(
        () => page.evaluate('tributary.visitor'),
        (id) => id === 'daily-1',
      );
      assert.equal(event?.service_visitor_id, undefined);
      assert.equal(event?.visit_id, undefined);
      assert.deepEqual(await visitor.cookies(), []);
      assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
    });
  }

  it('counts pages that the hash names, where the page says so', async () => {
    await open('/hash#/one');
    await recorder.waitFor(1);
    await page.evaluate("location.hash = '/two'");
    const events = await recorder.waitFor(2);
    assert.deepEqual(
      events.map(({ url }) => new URL(url).hash),
      ['#/one', '#/two'],
    );
  });

  it('counts a prerendered page when it is shown, and not before', async () => {
    await open('/speculating');
    await recorder.waitFor(1);
    await goal('meanwhile');
    await recorder.waitFor(2);
    await page.getByText('Next').click();
    await page.waitForURL('**/next');
    await recorder.waitFor(3);
    assert.deepEqual(
      types().filter((type) => type !== 'engagement'),
      ['pageview', 'meanwhile', 'pageview'],
    );
  });

  it('counts a page again that the browser brings back whole', async () => {
    await open('/');
    await recorder.waitFor(1);
    await page.evaluate('window.isSame = true');
    await open('/next');
    await recorder.waitFor(2);
    await page.goBack();
    const shown = await recorder.waitFor(3);
    assert.deepEqual(
      shown.map(({ url }) => pathOf(url)),
      ['/', '/next', '/'],
    );
  });

  it('tells when its visit began, however wrong the clock is', async () => {
    const days = 3 * 24 * 60 * 60 * 1000;
    await page.addInitScript(`{ const now = Date.now; Date.now = () => now() + ${days} }`);
    await open('/');
    const [event] = await recorder.waitFor(1);
    const receivedAt = Date.now();
    const sentAt = instantOfUuid(event?.event_id ?? '');
    assert.ok(sentAt > receivedAt + days - 60_000);
    const mintedAt = instantOfUuid(event?.visit_id ?? '');
    const startedAt = findVisitStart({ mintedAt, sentAt, receivedAt, occurredAt: receivedAt });
    assert.ok(Math.abs((startedAt ?? 0) - receivedAt) < 10 * 60_000);
  });

  it('starts as a module too', async () => {
    await open('/module');
    const events = await recorder.waitFor(2);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['pageview', 'goal'],
    );
    assert.equal(events[0]?.site, 'shop.example');
  });

  it('identifies the visitor, and leaves nothing behind but its own name', async () => {
    await open('/');
    await page.evaluate("tributary('identify', { user_id: 'u7', traits: { plan: 'pro' } })");
    const [known] = await recorder.waitForType('identify');
    assert.equal(known?.user_id, 'u7');
    const names = 'Object.keys(window).filter((name) => name.length < 3 || /tribut/.test(name))';
    assert.deepEqual(await page.evaluate(names), ['tributary']);
  });
});
