import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitUntil } from '../../server/wait-until.ts';
import { openTrackedPage } from './open-tracked-page.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the tracker in a browser', () => {
  const tracked = openTrackedPage(toHtml);
  const { goal, types } = tracked;

  it('reports a page with its address, its title and who came', async () => {
    await tracked.open('/pricing?utm_source=x', 'www.shop.example');
    const [event] = await tracked.recorder.waitFor(1);
    assert.ok(event);
    assert.equal(event.type, 'pageview');
    assert.equal(event.site, 'shop.example');
    assert.equal(
      event.url,
      `http://www.shop.example:${tracked.recorder.port}/pricing?utm_source=x`,
    );
    assert.equal(event.referrer, '');
    assert.equal(event.title, 'Page /pricing?utm_source=x');
    assert.match(event.service_visitor_id, UUID_V4);
    assert.match(event.visit_id, UUID_V7);
    assert.ok(event.screen_width > 0);
    assert.equal(event.webdriver, false);
  });

  it('is silent when a program drives the browser, or allowed to speak and says so', async () => {
    await tracked.page.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => true })",
    );
    await tracked.open('/');
    await goal('never');
    await tracked.open('/automated');
    const [event] = await tracked.recorder.waitFor(1);
    assert.equal(new URL(event?.url ?? '').pathname, '/automated');
    assert.equal(event?.webdriver, true);
  });

  it('sends plain text, which browsers send without asking first', async () => {
    await tracked.open('/');
    await tracked.recorder.waitFor(1);
    assert.deepEqual([...tracked.recorder.contentTypes], ['text/plain;charset=UTF-8']);
  });

  it('begins the visit id with the time', async () => {
    await tracked.open('/');
    const [event] = await tracked.recorder.waitFor(1);
    assert.ok(event);
    const startedAt = Number.parseInt(event.visit_id.replaceAll('-', '').slice(0, 12), 16);
    assert.ok(Math.abs(startedAt - Date.now()) < 5_000);
    assert.match(event.event_id, UUID_V7);
  });

  for (const [host, domain] of [
    ['www.shop.example', '.shop.example'],
    ['www.shop.co.uk', '.shop.co.uk'],
    ['a.b.shop.co.uk', '.shop.co.uk'],
  ] as const) {
    it(`keeps the visitor's cookie of ${host} for a year on ${domain}`, async () => {
      await tracked.open('/', host);
      const [event] = await tracked.recorder.waitFor(1);
      const cookies = await tracked.visitor.cookies();
      const cookie = cookies.find(({ name }) => name === 'service_visitor_id');
      assert.equal(cookie?.value, event?.service_visitor_id);
      assert.equal(cookie?.domain, domain);
      assert.equal(cookie?.sameSite, 'Lax');
      assert.equal(cookie?.httpOnly, false);
      const secondsLeft = (wanted: string) =>
        (cookies.find(({ name }) => name === wanted)?.expires ?? 0) - Date.now() / 1_000;
      assert.ok(Math.abs(secondsLeft('service_visitor_id') - 31_536_000) < 60);
      assert.ok(Math.abs(secondsLeft('tributary_visit') - 1_800) < 60);
      assert.deepEqual(cookies.map(({ name }) => name).sort(), [
        'service_visitor_id',
        'tributary_visit',
      ]);
    });
  }

  it('marks its cookies Secure where the page is', async () => {
    const script = await fetch(`http://127.0.0.1:${tracked.recorder.port}/js/script.js`);
    const bodies: Readonly<Record<string, string>> = {
      '/': toHtml('/'),
      '/js/script.js': await script.text(),
    };
    await tracked.page.route('https://www.shop.example/**', (route) =>
      route.fulfill({
        body: bodies[new URL(route.request().url()).pathname] ?? '{}',
        contentType:
          route.request().resourceType() === 'document' ? 'text/html' : 'text/javascript',
      }),
    );
    await tracked.page.goto('https://www.shop.example/');
    const cookies = await waitUntil(
      () => tracked.visitor.cookies(),
      ({ length }) => length === 2,
    );
    for (const { domain, secure } of cookies)
      assert.deepEqual([domain, secure], ['.shop.example', true]);
  });

  it('keeps visitor and visit from page to page, tab to tab and subdomain to subdomain', async () => {
    await tracked.open('/one', 'www.shop.example');
    await tracked.recorder.waitFor(1);
    await tracked.open('/two', 'blog.shop.example');
    await tracked.recorder.waitFor(2);
    tracked.page = await tracked.visitor.newPage();
    await tracked.open('/three');
    const [first, second, third] = await tracked.recorder.waitFor(3);
    for (const later of [second, third]) {
      assert.equal(later?.service_visitor_id, first?.service_visitor_id);
      assert.equal(later?.visit_id, first?.visit_id);
    }
  });

  it('opens a new visit for the same visitor when the visit is over', async () => {
    await tracked.open('/');
    await tracked.recorder.waitFor(1);
    await tracked.visitor.clearCookies({ name: 'tributary_visit' });
    await goal('later');
    const [first, later] = await tracked.recorder.waitFor(2);
    assert.equal(later?.service_visitor_id, first?.service_visitor_id);
    assert.notEqual(later?.visit_id, first?.visit_id);
  });

  it('takes a visitor that has the cookie already', async () => {
    const url = `http://shop.example:${tracked.recorder.port}/`;
    await tracked.visitor.addCookies([{ name: 'service_visitor_id', value: 'imported:42', url }]);
    await tracked.page.goto(url);
    const [event] = await tracked.recorder.waitFor(1);
    assert.equal(event?.service_visitor_id, 'imported:42');
  });

  it('takes no other cookie for its own, and replaces a visit that no server would take', async () => {
    const url = `http://shop.example:${tracked.recorder.port}/`;
    await tracked.visitor.addCookies([
      { name: 'my-service_visitor_id', value: 'other', url },
      { name: 'tributary_visit', value: 'zzz', domain: '.shop.example', path: '/' },
    ]);
    await tracked.page.goto(url);
    const [event] = await tracked.recorder.waitFor(1);
    assert.match(event?.service_visitor_id ?? '', UUID_V4);
    assert.match(event?.visit_id ?? '', UUID_V7);
    await goal('later');
    const [, later] = await tracked.recorder.waitFor(2);
    assert.equal(later?.visit_id, event?.visit_id);
  });

  it('replaces a visitor cookie that no server would take', async () => {
    const url = `http://shop.example:${tracked.recorder.port}/`;
    await tracked.visitor.addCookies([{ name: 'service_visitor_id', value: 'a%20b', url }]);
    await tracked.page.goto(url);
    const [event] = await tracked.recorder.waitFor(1);
    assert.match(event?.service_visitor_id ?? '', UUID_V4);
  });

  it('counts the pages of a single-page application, and going back', async () => {
    await tracked.open('/');
    await tracked.recorder.waitFor(1);
    await tracked.page.evaluate("history.pushState({}, '', '/pushed')");
    await tracked.recorder.waitFor(2);
    await tracked.page.evaluate("history.replaceState({}, '', '/replaced')");
    await tracked.recorder.waitFor(3);
    await tracked.page.goBack();
    const events = await tracked.recorder.waitFor(4);
    const paths = events.map(({ url }) => new URL(url).pathname);
    assert.deepEqual(paths, ['/', '/pushed', '/replaced', '/']);
    const referrers = events.map(({ referrer }) => referrer && new URL(referrer).pathname);
    assert.deepEqual(referrers, ['', '/', '/pushed', '/replaced']);
  });

  it('counts an address that is pushed and replaced at once as one page, with its title', async () => {
    await tracked.open('/');
    await tracked.recorder.waitFor(1);
    await tracked.page.evaluate(`
      history.pushState({}, '', '/passing');
      history.replaceState({}, '', '/settled');
      document.title = 'Settled';
    `);
    const [, settled] = await tracked.recorder.waitFor(2);
    assert.equal(new URL(settled?.url ?? '').pathname, '/settled');
    assert.equal(settled?.title, 'Settled');
  });

  it('does not count a change of the hash or of the state alone', async () => {
    await tracked.open('/');
    await tracked.recorder.waitFor(1);
    await tracked.page.evaluate(`
      history.replaceState({ scroll: 10 }, '');
      history.pushState({}, '', '#prices');
      location.hash = 'more';
      new Promise((resolve) => setTimeout(resolve));
    `);
    await goal('end');
    await tracked.recorder.waitFor(2);
    assert.deepEqual(types(), ['pageview', 'end']);
  });

  it('sends the goals of a page with their metadata, numbers and truth values as texts', async () => {
    await tracked.open('/');
    await tracked.page.evaluate(`
      tributary('goal', 'signup', { plan: 'pro', seats: 3, trial: false, big: 10n, no: undefined });
      tributary('goal', 'wrong', { list: [1] });
      tributary('goal', 'bare');
    `);
    const [, signup, wrong, bare] = await tracked.recorder.waitFor(4);
    assert.equal(signup?.name, 'signup');
    assert.deepEqual(signup?.metadata, { plan: 'pro', seats: '3', trial: 'false', big: '10' });
    assert.deepEqual(wrong?.metadata, { list: ['1'] }, 'the server explains what is no text');
    assert.equal(bare?.metadata, undefined);
  });

  it('sends what the page said before the script was there, after the pageview', async () => {
    await tracked.open('/stub');
    await tracked.recorder.waitFor(2);
    assert.deepEqual(types(), ['pageview', 'early']);
  });

  it('sends an event while the page is being left', async () => {
    await tracked.open('/');
    await tracked.recorder.waitFor(1);
    await tracked.page.evaluate("addEventListener('pagehide', () => tributary('goal', 'left'))");
    await tracked.open('/next');
    await tracked.recorder.waitFor(3);
    assert.deepEqual(types().sort(), ['left', 'pageview', 'pageview']);
  });

  it('is silent on a page of this machine unless told to speak', async () => {
    for (const host of ['localhost', '127.0.0.1', 'shop.localhost']) {
      await tracked.open('/', host);
      await goal('never');
    }
    await tracked.open('/allowed', '127.0.0.1');
    await tracked.recorder.waitFor(1);
    assert.deepEqual(types(), ['pageview']);
    assert.equal(
      tracked.recorder.events[0]?.url,
      `http://127.0.0.1:${tracked.recorder.port}/allowed`,
    );
  });

  it('troubles no page when its server is gone', async () => {
    await tracked.visitor.route('**/js/script.js', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await tracked.open('/');
    await goal('lost');
    await tracked.page.evaluate('new Promise((resolve) => setTimeout(resolve))');
  });
});

function toHtml(path: string): string {
  const stub = `<script>
    window.tributary = function () { (tributary.q = tributary.q || []).push(arguments) };
    tributary('goal', 'early');
  </script>`;
  return `<!doctype html><title>Page ${path}</title><link rel="icon" href="data:,">
    ${path === '/stub' ? stub : ''}
    <script defer data-site="shop.example" ${path === '/allowed' ? 'data-allow-localhost' : ''}
      ${path === '/automated' ? 'data-allow-automation' : ''}
      src="/js/script.js"></script>`;
}
