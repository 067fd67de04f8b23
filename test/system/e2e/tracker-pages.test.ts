import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findVisitStart } from '#domain/visit/visit-start.ts';
import { instantOfUuid } from '#ingest/new-uuid.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { openTrackedPage } from './open-tracked-page.ts';
import { toTrackedPage } from './tracked-pages.ts';

describe('the tracker on a page', () => {
  const tracked = openTrackedPage(toTrackedPage);
  const { open, goal, types } = tracked;
  const pathOf = (url: string | undefined) => new URL(url ?? '').pathname;
  const queued = () => tracked.page.evaluate('localStorage.tributary_queue');

  it('reports, when the page is left, how long it was visible and how much of it was read', async () => {
    await open('/acts');
    await tracked.recorder.waitFor(1);
    await tracked.page.evaluate('scrollTo(0, 800)');
    await goal('later');
    await open('/next');
    const [spent] = await tracked.recorder.waitForType('engagement');
    assert.equal(pathOf(spent?.url), '/acts');
    assert.ok((spent?.engagement_ms ?? 0) > 0 && (spent?.engagement_ms ?? 0) < 5_000);
    assert.ok((spent?.scroll_depth ?? 0) > 30 && (spent?.scroll_depth ?? 0) < 90);
    const [shown] = tracked.recorder.events;
    assert.equal(spent?.visit_id, shown?.visit_id);
  });

  it('says nothing of a tab behind, and tells when it hides how long it was seen', async () => {
    await tracked.page.addInitScript(`{
      let isBehind = true;
      Object.defineProperty(Document.prototype, 'hidden', { get: () => isBehind });
      addEventListener('turn', () => {
        isBehind = !isBehind;
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      });
    }`);
    const turn = () => tracked.page.evaluate("dispatchEvent(new Event('turn'))");
    await open('/acts');
    await goal('unseen');
    await tracked.page.evaluate("history.pushState({}, '', '/behind')");
    await tracked.page.evaluate('new Promise((resolve) => setTimeout(resolve))');
    assert.deepEqual(tracked.recorder.events, []);
    await turn();
    const [shown, said] = await tracked.recorder.waitFor(2);
    assert.deepEqual(
      [shown?.type, pathOf(shown?.url), said?.name],
      ['pageview', '/behind', 'unseen'],
    );
    await turn();
    const [spent] = await tracked.recorder.waitForType('engagement');
    assert.equal(pathOf(spent?.url), '/behind');
    await tracked.page.evaluate("history.pushState({}, '', '/later')");
    await tracked.page.evaluate('new Promise((resolve) => setTimeout(resolve))');
    await turn();
    const [, , later] = await tracked.recorder.waitFor(3);
    assert.equal(pathOf(later?.url), '/later');
    assert.equal(tracked.recorder.events.length, 4);
  });

  it('reports goals that elements name, with their properties', async () => {
    await open('/acts');
    await tracked.page.getByText('Sign up').click();
    const [signup] = await tracked.recorder.waitForType('goal');
    assert.equal(signup?.name, 'signup');
    assert.deepEqual(signup?.metadata, { plan: 'pro', seats: '3' });
    await tracked.page.getByText('Join').click();
    const [, joined] = await tracked.recorder.waitForType('goal', 2);
    assert.equal(joined?.name, 'joined', 'also as its link is followed');
    await tracked.recorder.waitForType('pageview', 2);
  });

  it('reports a form’s goal when it is sent, and none for a click into it', async () => {
    await open('/acts');
    await tracked.page.evaluate("addEventListener('submit', (event) => event.preventDefault())");
    await tracked.page.locator('#name').click();
    await tracked.page.getByText('Send').click();
    await tracked.page.locator('#name').fill('Ada');
    await tracked.page.locator('#name').press('Enter');
    await goal('end');
    const [contact] = await tracked.recorder.waitForType('goal', 2);
    assert.deepEqual(types(), ['pageview', 'contact', 'end']);
    assert.deepEqual(contact?.metadata, { from: 'footer' });
  });

  it('reports a form whose fields hide what forms have, and no link of them', async () => {
    await open('/acts');
    await tracked.page.evaluate(`{
      addEventListener('submit', (event) => event.preventDefault());
      document.body.insertAdjacentHTML('afterbegin', '<form data-goal="covered" data-goal-at="top" action="/next">' +
        ['attributes', 'host', 'href'].map((name) => '<input name=' + name + '>').join('') + '</form>');
      document.forms[0].elements.href.click();
      document.forms[0].requestSubmit();
    }`);
    await goal('end');
    const [covered] = await tracked.recorder.waitForType('goal', 2);
    assert.deepEqual(types(), ['pageview', 'covered', 'end']);
    assert.deepEqual(covered?.metadata, { at: 'top' });
  });

  it('troubles no page that takes it for a module', async () => {
    await open('/missing-tag');
    await tracked.page.evaluate(`new Promise((resolve) => {
      const tag = Object.assign(document.createElement('script'), { type: 'module', src: '/js/script.js' });
      tag.onload = () => setTimeout(resolve, 50);
      document.head.append(tag);
    })`);
    await goal('end');
    await tracked.recorder.waitForType('goal');
    assert.deepEqual(types(), ['pageview', 'end']);
  });

  it('reports, for a page that an application left, its own title and depth, after Back too', async () => {
    await open('/acts');
    await tracked.recorder.waitFor(1);
    await tracked.page.evaluate(`document.title = 'Early'; history.pushState({}, '', '/b');
      document.title = 'B'`);
    await tracked.recorder.waitFor(2);
    await tracked.page.evaluate('history.back()');
    const spent = await tracked.recorder.waitForType('engagement', 2);
    assert.deepEqual(
      spent.map(({ url, title }) => [pathOf(url), title]),
      [
        ['/acts', 'Page /acts'],
        ['/b', 'B'],
      ],
    );
    for (const { scroll_depth } of spent) assert.ok((scroll_depth ?? 0) > 10);
  });

  it('reports no scroll goal in the first view before anybody scrolls', async () => {
    await open('/acts');
    await tracked.page.evaluate(`{
      document.body.insertAdjacentHTML('afterbegin', '<p data-scroll-goal="top">Top</p>');
      document.querySelector('b').click();
    }`);
    // Each event is a request of its own: the next might overtake this one.
    await tracked.recorder.waitFor(2);
    await tracked.page.evaluate(`history.pushState({}, '', '/b')`);
    await tracked.recorder.waitFor(3);
    assert.deepEqual(types(), ['pageview', 'signup', 'pageview']);
  });

  it('reports what is clicked inside a component, and is troubled by no click of nothing', async () => {
    await open('/acts');
    await tracked.page.evaluate(`{
      const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
      root.innerHTML = '<button data-goal="inside"><i>In</i></button>';
      root.querySelector('i').click();
      document.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    }`);
    const [inside] = await tracked.recorder.waitForType('goal');
    assert.equal(inside?.name, 'inside');
  });

  it('reports a scroll goal once, when it comes into view, and none that is hidden', async () => {
    await open('/acts');
    await tracked.recorder.waitFor(1);
    await tracked.page.evaluate('scrollTo(0, 9999)');
    const [seen] = await tracked.recorder.waitForType('goal');
    await tracked.page.evaluate('scrollTo(0, 0), scrollTo(0, 9999)');
    await goal('end');
    await tracked.recorder.waitForType('goal', 2);
    assert.equal(seen?.name, 'pricing_seen');
    assert.deepEqual(seen?.metadata, { part: 'prices' });
    assert.deepEqual(types(), ['pageview', 'pricing_seen', 'end']);
  });

  it('reports links to other hosts and downloads, and no link within the site', async () => {
    await open('/acts');
    await tracked.page.evaluate("addEventListener('click', (event) => event.preventDefault())");
    for (const id of ['near', 'out', 'file']) await tracked.page.locator(`#${id}`).click();
    await tracked.page.locator('#out').click({ button: 'right' });
    await tracked.page.locator('#out').click({ button: 'middle' });
    const [, out, file, again] = await tracked.recorder.waitFor(4);
    assert.equal(out?.type, 'outbound');
    assert.equal(out?.target, `http://elsewhere.example:${tracked.recorder.port}/there?a=1`);
    assert.equal(file?.type, 'download');
    assert.equal(pathOf(file?.target), '/missing/prices.PDF');
    assert.equal(again?.type, 'outbound');
  });

  it('gives payment links of Stripe the visitor’s id, unless they have another', async () => {
    await open('/acts');
    const [shown] = await tracked.recorder.waitFor(1);
    await tracked.page.evaluate(`addEventListener('click', (event) => {
      event.preventDefault();
      (window.followed ??= []).push(event.target.search);
    })`);
    for (const id of ['pay', 'paid']) await tracked.page.locator(`#${id}`).click();
    assert.deepEqual(await tracked.page.evaluate('followed'), [
      `?&client_reference_id=${shown?.service_visitor_id}`,
      '?client_reference_id=mine',
    ]);
    await waitUntil(
      () => tracked.page.evaluate("document.querySelector('#pay').search"),
      (search) => search === '',
    );
  });

  it('carries visitor and visit to another domain of the site, and cleans the address', async () => {
    await open('/linked');
    await tracked.recorder.waitFor(1);
    await tracked.page.getByText('Tea').click();
    const [there, here] = await tracked.recorder.waitFor(2);
    assert.equal(here?.service_visitor_id, there?.service_visitor_id);
    assert.equal(here?.visit_id, there?.visit_id);
    assert.equal(here?.url, `http://tea.example:${tracked.recorder.port}/linked?x=1`);
    assert.equal(await tracked.page.evaluate('location.href'), here?.url);
  });

  it('carries them by a link without a query, and through who writes addresses anew', async () => {
    await open('/linked');
    const [here] = await tracked.recorder.waitFor(1);
    await tracked.page.evaluate("document.querySelector('a').search = ''");
    await tracked.page.getByText('Tea').click();
    await tracked.recorder.waitFor(2);
    const origin = `http://shop.example:${tracked.recorder.port}`;
    const ids = `tributary=visitor-7${here?.visit_id}${Date.now()}`;
    await tracked.page.evaluate(`location.href = '${origin}/linked?${ids}&utm_source=x'`);
    const [, there, again] = await tracked.recorder.waitFor(3);
    assert.equal(there?.service_visitor_id, here?.service_visitor_id);
    assert.equal(there?.url, `http://tea.example:${tracked.recorder.port}/linked?`);
    assert.equal(again?.service_visitor_id, 'visitor-7');
    assert.equal(again?.url, `${origin}/linked?&utm_source=x`);
  });

  it('takes no ids from a link of a stranger, or one that is a minute old', async () => {
    const ids = (at: number) => `&tributary=mallory${'0'.repeat(36)}${at}`;
    await open(`/linked?x=1${ids(Date.now())}`);
    const [event] = await tracked.recorder.waitFor(1);
    assert.notEqual(event?.service_visitor_id, 'mallory');
    assert.equal(event?.url, `http://shop.example:${tracked.recorder.port}/linked?x=1`);
    await tracked.page.evaluate(
      `location.href = '//tea.example:${tracked.recorder.port}/linked?${ids(Date.now() - 61_000)}'`,
    );
    const [, later] = await tracked.recorder.waitFor(2);
    assert.notEqual(later?.service_visitor_id, 'mallory');
  });

  it('is silent in a frame unless told to speak', async () => {
    await open('/framing');
    const events = await tracked.recorder.waitFor(2);
    assert.deepEqual(events.map(({ url }) => pathOf(url)).sort(), ['/framing', '/in-frame']);
  });

  it('is silent for who wants to be ignored', async () => {
    await tracked.page.addInitScript("localStorage.tributary_ignore = 'true'");
    await open('/');
    await goal('never');
    assert.deepEqual(await tracked.visitor.cookies(), []);
    assert.deepEqual(types(), []);
  });

  it('sends again what happened offline, once, when the connection is back', async () => {
    await open('/');
    await tracked.recorder.waitFor(1);
    await tracked.visitor.setOffline(true);
    await goal('offline');
    await waitUntil(queued, (queue) => String(queue).includes('offline'));
    await tracked.visitor.setOffline(false);
    const [again] = await tracked.recorder.waitForType('goal');
    assert.equal(again?.retry, true);
    assert.equal(again?.sent_at, undefined, 'what goes with it tells the time');
    await waitUntil(queued, (queue) => queue === '');
    assert.equal(types().filter((type) => type === 'offline').length, 1);
  });

  it('sends on the next page what the server could not take', async () => {
    tracked.recorder.mood = 'unavailable';
    await open('/');
    await waitUntil(queued, (queue) => String(queue).includes('pageview'));
    tracked.recorder.mood = 'well';
    await open('/next');
    await waitUntil(
      async () => tracked.recorder.events.filter(({ url }) => pathOf(url) === '/next').length,
      (count) => count > 0,
    );
    const shown = tracked.recorder.events.filter(({ type }) => type === 'pageview');
    const retried = shown.filter(({ url }) => pathOf(url) === '/');
    assert.ok(retried.length > 0 && retried.every(({ retry }) => retry === true));
    assert.equal(new Set(retried.map(({ event_id }) => event_id)).size, 1);
    assert.equal(shown.at(-1)?.retry, undefined);
  });

  it('keeps nothing that the server refuses, as it would hold up all that follows', async () => {
    await open('/');
    await tracked.recorder.waitFor(1);
    tracked.recorder.mood = 'limiting';
    await goal('waited');
    await waitUntil(queued, (queue) => String(queue).includes('waited'));
    tracked.recorder.mood = 'refusing';
    await goal('refused');
    await waitUntil(queued, (queue) => queue === '');
    tracked.recorder.mood = 'well';
    await goal('end');
    await tracked.recorder.waitForType('goal');
    assert.deepEqual(types(), ['pageview', 'end']);
  });

  it('keeps what two tabs could not send, side by side', async () => {
    const first = tracked.page;
    await open('/');
    await tracked.recorder.waitFor(1);
    tracked.page = await tracked.visitor.newPage();
    await open('/');
    await tracked.recorder.waitFor(2);
    tracked.recorder.mood = 'unavailable';
    for (const [index, tab] of [first, tracked.page].entries()) {
      await tab.evaluate("tributary('goal', 'waited')");
      // Tabs see each other's stored events a moment later: storing both at once would keep only one.
      await waitUntil(queued, (queue) => String(queue).split('"waited"').length === index + 2);
    }
    await first.close();
    tracked.recorder.mood = 'well';
    await goal('end');
    // A closing tab also sends what it keeps: the server counts an event's id once.
    const goals = async () =>
      new Map(
        tracked.recorder.events
          .filter(({ type }) => type === 'goal')
          .map(({ event_id, name }) => [event_id, name]),
      );
    const sent = await waitUntil(goals, ({ size }) => size >= 3);
    assert.deepEqual([...sent.values()].toSorted(), ['end', 'waited', 'waited']);
  });

  it('lets nothing that is no JSON hold the rest up, and says so', async () => {
    const printed: string[] = [];
    tracked.page.on('console', (line) => printed.push(line.text()));
    await open('/');
    await tracked.recorder.waitFor(1);
    await tracked.page.evaluate(`
      const circle = {};
      circle.circle = circle;
      tributary('goal', 'circle', circle);
      tributary('identify', { user_id: 'u7', traits: circle });
      tributary('goal', 'fine');
    `);
    const [fine] = await tracked.recorder.waitForType('goal');
    assert.equal(fine?.name, 'fine');
    const said = 'TypeError: Converting circular structure to JSON';
    assert.deepEqual(
      printed.map((line) => line.split('\n')[0]),
      [said, said],
    );
  });

  it('goes on with the time of a page when the connection is back', async () => {
    await tracked.page.clock.install();
    await open('/');
    await tracked.recorder.waitFor(1);
    await tracked.page.evaluate("dispatchEvent(new Event('online'))");
    await tracked.recorder.waitForType('engagement');
    await tracked.page.clock.runFor(1_000);
    await open('/next');
    const [, rest] = await tracked.recorder.waitForType('engagement', 2);
    assert.equal(pathOf(rest?.url), '/');
  });

  it('keeps twenty kilobytes of waiting events at most, and all of them whole', async () => {
    tracked.recorder.mood = 'unavailable';
    await open('/');
    await tracked.page.evaluate("for (let i = 0; i < 90; i++) tributary('goal', 'g' + i)");
    const kept = await waitUntil(queued, (queue) => String(queue ?? '').length > 19_000);
    assert.ok(String(kept).length < 20_000);
    const events = JSON.parse(`[${String(kept).slice(0, -1)}]`) as { name?: string }[];
    assert.ok(events.length > 20 && events.length < 90);
    tracked.recorder.mood = 'well';
    // Browsers allow 64 KB in flight beyond a page's life: failing requests must end first.
    await waitUntil(
      () => goal('room').then(queued),
      (queue) => queue === '',
    );
  });

  it('holds no page up when its server never answers', async () => {
    tracked.recorder.mood = 'silent';
    const begun = performance.now();
    await open('/');
    for (let count = 0; count < 3; count++) await goal('unheard');
    await open('/next');
    assert.equal(await tracked.page.evaluate('document.readyState'), 'complete');
    assert.ok(performance.now() - begun < 30_000);
  });

  it('holds no page up when the server of the script hangs', async () => {
    await tracked.page.goto(`http://shop.example:${tracked.recorder.port}/hanging`, {
      ...{ waitUntil: 'domcontentloaded', timeout: 30_000 },
    });
  });

  it('holds no page up when it is blocked itself', async () => {
    await open('/blocked');
    await goal('unheard');
    assert.equal(await tracked.page.evaluate('tributary.q.length'), 2);
  });

  it('keeps one visitor and visit in a page whose browser keeps nothing', async () => {
    await tracked.page.addInitScript(`
      Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} });
      Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked') } });`);
    await open('/');
    await goal('again');
    const [first, second] = await tracked.recorder.waitFor(2);
    assert.equal(second?.service_visitor_id, first?.service_visitor_id);
    assert.equal(second?.visit_id, first?.visit_id);
  });

  for (const path of ['/cookieless', '/gpc']) {
    it(`keeps nothing in the browser at ${path}, and learns the visitor from the server`, async () => {
      tracked.recorder.answer = { service_visitor_id: 'daily-1' };
      await tracked.page.addInitScript(
        "Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => true })",
      );
      await open(path);
      const [event] = await tracked.recorder.waitFor(1);
      await waitUntil(
        () => tracked.page.evaluate('tributary.visitor'),
        (id) => id === 'daily-1',
      );
      assert.equal(event?.service_visitor_id, undefined);
      assert.equal(event?.visit_id, undefined);
      assert.deepEqual(await tracked.visitor.cookies(), []);
      assert.equal(await tracked.page.evaluate('localStorage.length + sessionStorage.length'), 0);
    });
  }

  it('counts pages that the hash names, where the page says so', async () => {
    await open('/hash#/one');
    await tracked.recorder.waitFor(1);
    await tracked.page.evaluate("location.hash = '/two'");
    const events = await tracked.recorder.waitFor(2);
    assert.deepEqual(
      events.map(({ url }) => new URL(url).hash),
      ['#/one', '#/two'],
    );
  });

  it('reports when its visit began, however wrong the clock is', async () => {
    const days = 3 * 24 * 60 * 60 * 1000;
    await tracked.page.addInitScript(`{ const now = Date.now; Date.now = () => now() + ${days} }`);
    await open('/');
    const [event] = await tracked.recorder.waitFor(1);
    const receivedAt = Date.now();
    const sentAt = instantOfUuid(event?.event_id ?? '');
    assert.ok(sentAt > receivedAt + days - 60_000);
    const mintedAt = instantOfUuid(event?.visit_id ?? '');
    const startedAt = findVisitStart({ mintedAt, sentAt, receivedAt, occurredAt: receivedAt });
    assert.ok(Math.abs((startedAt ?? 0) - receivedAt) < 10 * 60_000);
  });

  it('starts as a module too', async () => {
    await open('/module');
    const events = await tracked.recorder.waitFor(2);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['pageview', 'goal'],
    );
    assert.equal(events[0]?.site, 'shop.example');
  });

  const cookieOf = async (wanted: string) =>
    (await tracked.visitor.cookies()).find(({ name }) => name === wanted)?.value ?? '';

  it('begins a new visitor at a reset, and sends nothing', async () => {
    await open('/');
    const [before] = await tracked.recorder.waitFor(1);
    await tracked.page.evaluate("tributary('reset')");
    const visitorId = await cookieOf('service_visitor_id');
    assert.notEqual(visitorId, before?.service_visitor_id);
    assert.equal((await cookieOf('tributary_visit')).includes(before?.visit_id ?? ''), false);
    await goal('after');
    const [, after] = await tracked.recorder.waitFor(2);
    assert.deepEqual(types(), ['pageview', 'after']);
    assert.equal(after?.service_visitor_id, visitorId);
    assert.ok((await cookieOf('tributary_visit')).startsWith(after?.visit_id ?? '-'));
    assert.notEqual(after?.visit_id, before?.visit_id);
  });

  it('keeps nothing at a reset without cookies either', async () => {
    await open('/cookieless');
    await tracked.page.evaluate("tributary('reset')");
    await goal('after');
    await tracked.recorder.waitFor(2);
    assert.deepEqual(types(), ['pageview', 'after']);
    assert.deepEqual(await tracked.visitor.cookies(), []);
  });

  it('goes on as the new visitor that the server names when an identify conflicts', async () => {
    await open('/');
    const [shown] = await tracked.recorder.waitFor(1);
    tracked.recorder.answer = (events) => {
      const isKnown = events.at(-1)?.service_visitor_id === shown?.service_visitor_id;
      return isKnown ? { service_visitor_id: 'visitor-of-its-own' } : {};
    };
    await tracked.page.evaluate("tributary('identify', { user_id: 'u8' })");
    await waitUntil(
      () => cookieOf('service_visitor_id'),
      (id) => id === 'visitor-of-its-own',
    );
    await tracked.page.evaluate("tributary('identify', { user_id: 'u8' })");
    const known = await tracked.recorder.waitForType('identify', 2);
    const ids = known.map(({ service_visitor_id }) => service_visitor_id);
    assert.deepEqual(ids, [shown?.service_visitor_id, 'visitor-of-its-own']);
    assert.notEqual(known[1]?.visit_id, shown?.visit_id);
    assert.notEqual(known[1]?.event_id, known[0]?.event_id);
    assert.equal(await cookieOf('service_visitor_id'), 'visitor-of-its-own');
    await goal('end');
    const [end] = await tracked.recorder.waitForType('goal');
    assert.equal(end?.service_visitor_id, 'visitor-of-its-own');
    assert.deepEqual(types(), ['pageview', 'identify', 'identify', 'end']);
  });

  it('loses and repeats nothing where answers are no JSON', async () => {
    tracked.recorder.mood = 'garbled';
    await open('/');
    await tracked.page.evaluate("tributary('identify', { user_id: 'u8' })");
    await goal('one');
    await tracked.recorder.waitFor(3);
    await open('/next');
    await tracked.recorder.waitFor(4);
    assert.deepEqual(types().toSorted(), ['identify', 'one', 'pageview', 'pageview']);
    assert.ok(tracked.recorder.events.every(({ retry }) => retry === undefined));
    assert.ok([undefined, null, ''].includes((await queued()) as string));
  });

  it('prints the server’s hint once', async () => {
    const printed: string[] = [];
    tracked.page.on('console', (line) => printed.push(`${line.type()}: ${line.text()}`));
    tracked.recorder.answer = { hint: 'Add the site.' };
    await open('/');
    await waitUntil(
      async () => printed,
      ({ length }) => length > 0,
    );
    await goal('one');
    await goal('two');
    await tracked.recorder.waitFor(3);
    tracked.recorder.answer = {};
    await goal('three');
    await tracked.recorder.waitFor(4);
    await tracked.page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
    assert.deepEqual(printed, ['warning: Add the site.']);
  });

  it('identifies the visitor, and leaves nothing behind but its own name', async () => {
    await open('/');
    await tracked.page.evaluate(
      "tributary('identify', { user_id: 7, traits: { plan: 'pro', seats: 3 } })",
    );
    const [known] = await tracked.recorder.waitForType('identify');
    assert.equal(known?.user_id, '7');
    assert.deepEqual(known?.traits, { plan: 'pro', seats: '3' });
    const names = 'Object.keys(window).filter((name) => name.length < 3 || /tribut/.test(name))';
    assert.deepEqual(await tracked.page.evaluate(names), ['tributary']);
  });
});
