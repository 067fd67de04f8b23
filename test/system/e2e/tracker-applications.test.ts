import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitUntil } from '../../server/wait-until.ts';
import { openTrackedPage } from './open-tracked-page.ts';

const TAG = '<script defer data-site="shop.example" src="/js/script.js"></script>';

/** Pages by path; all other paths have the plain tag. */
const PAGES: Readonly<Record<string, string>> = {
  '/query': TAG.replace('src', 'data-query src'),
  '/hash': TAG.replace('src', 'data-hash src'),
  '/hash-query': TAG.replace('src', 'data-hash data-query src'),
  '/twice': `${TAG}${TAG}<script type="module">
    import { start } from '/js/tracker.js';
    start({ site: 'shop.example' })('goal', 'started');
  </script>`,
  '/es-module': TAG.replace('defer', 'type="module"'),
  '/bare': '',
  '/bundled': '<script src="/js/script.js"></script>',
  '/host': TAG.replace('src', 'data-cookie-host src'),
  '/cookieless': TAG.replace('src', 'data-cookieless src'),
  '/linked': TAG.replace('src', 'data-domains="tea.example" src'),
};

describe('the tracker in an application', () => {
  const tracked = openTrackedPage((path) => {
    const [plain = ''] = path.split('?');
    return `<!doctype html><title>Page ${plain}</title><link rel="icon" href="data:,"><body>${PAGES[plain] ?? TAG}`;
  });
  const { open, goal, types } = tracked;
  const run = (code: string) => tracked.page.evaluate(code);
  /** Every event is a request of its own, and the next may overtake it. */
  const wentTo = async (count: number, change: string) => {
    await run(`${change}; new Promise((resolve) => setTimeout(resolve))`);
    return (await tracked.recorder.waitFor(count)).map(({ url }) => url.replace(/.*?\d\//, '/'));
  };

  it('counts no change of only the query, and each change of the path', async () => {
    await open('/list?utm_source=x&page=1');
    await tracked.recorder.waitFor(1);
    await wentTo(1, "history.replaceState({}, '', '/list?page=1')");
    await wentTo(1, "history.pushState({}, '', '/list?page=2')");
    await wentTo(
      1,
      "for (const word of ['t', 'te', 'tea']) history.replaceState({}, '', '?q=' + word)",
    );
    await wentTo(
      1,
      'new Promise((resolve) => { addEventListener("popstate", resolve); history.back() })',
    );
    const urls = await wentTo(2, "history.pushState({}, '', '/tea?page=2')");
    assert.deepEqual(urls, ['/list?utm_source=x&page=1', '/tea?page=2']);
    await goal('end');
    await tracked.recorder.waitFor(3);
    assert.deepEqual(types(), ['pageview', 'pageview', 'end']);
  });

  it('counts queries where pages differ by them, but no campaign tags that leave the address', async () => {
    await open('/query?utm_source=x&id=1&utm_medium=y');
    await tracked.recorder.waitFor(1);
    await wentTo(1, "history.replaceState({}, '', '/query?id=1')");
    await wentTo(2, "history.replaceState({}, '', '/query?id=2')");
    await wentTo(3, "history.pushState({}, '', '/query')");
    await goal('end');
    await tracked.recorder.waitFor(4);
    assert.deepEqual(types(), ['pageview', 'pageview', 'pageview', 'end']);
  });

  it('takes the query of a route behind # for what it is', async () => {
    await open('/hash#/list?page=1');
    await tracked.recorder.waitFor(1);
    await wentTo(1, "location.hash = '/list?page=2'");
    await wentTo(2, "location.hash = '/tea'");
    await open('/hash-query#/list?page=1');
    await tracked.recorder.waitFor(3);
    await wentTo(4, "location.hash = '/list?page=2'");
    await goal('end');
    await tracked.recorder.waitFor(5);
    assert.deepEqual(types().filter((type) => type === 'pageview').length, 4);
  });

  it('leaves campaign tags behind # where the server reads them, without the position', async () => {
    await open('/#prices');
    await open('/tea#utm_source=x&utm_medium=y');
    await open('/kettles#/route?utm_source=x');
    await open('/hash#/route?utm_source=x');
    const events = await tracked.recorder.waitFor(4);
    assert.deepEqual(
      events.map(({ url }) => new URL(url)).map(({ pathname, hash }) => pathname + hash),
      ['/', '/tea#utm_source=x&utm_medium=y', '/kettles#utm_source=x', '/hash#/route?utm_source=x'],
    );
    await tracked.recorder.waitFor(4);
    await wentTo(4, "history.replaceState({}, '', '/hash#/route')");
  });

  it('runs once in a page, however often it is started', async () => {
    await open('/twice');
    await tracked.recorder.waitFor(2);
    await goal('end');
    await tracked.recorder.waitFor(3);
    assert.deepEqual(types(), ['pageview', 'started', 'end']);
    assert.equal(await run('tributary.site'), 'shop.example');
  });

  it('counts a visit’s pages once where navigation runs the scripts of each body again', async () => {
    await open('/one');
    for (const path of ['/two', '/three']) {
      await run(`(async () => {
        const html = await (await fetch('${path}')).text();
        history.pushState({}, '', '${path}');
        document.documentElement.replaceWith(new DOMParser().parseFromString(html, 'text/html').documentElement);
        for (const script of document.scripts) {
          const again = document.createElement('script');
          for (const { name, value } of script.attributes) again.setAttribute(name, value);
          await new Promise((resolve) => { again.onload = resolve; script.replaceWith(again); });
        }
      })()`);
    }
    await goal('end');
    const events = await tracked.recorder.waitFor(4);
    assert.deepEqual(types(), ['pageview', 'pageview', 'pageview', 'end']);
    assert.deepEqual(
      events.slice(0, 3).map(({ url }) => new URL(url).pathname),
      ['/one', '/two', '/three'],
    );
  });

  it('finds its tag where the browser does not name it', async () => {
    await open('/es-module');
    await tracked.recorder.waitFor(1);
    await tracked.page.addInitScript(
      "Object.defineProperty(Document.prototype, 'currentScript', { get: () => null })",
    );
    await open('/optimised');
    const [, optimised] = await tracked.recorder.waitFor(2);
    assert.equal(optimised?.site, 'shop.example');
  });

  it('says in one line that it finds no tag', async () => {
    const printed: string[] = [];
    tracked.page.on('console', (line) => printed.push(line.text()));
    await open('/bundled');
    assert.deepEqual(printed, ['Tributary finds no data-site.']);
  });

  it('reports the page that is shown when it is loaded late', async () => {
    await open('/bare');
    await run("location.href = '/bare?landed'");
    await tracked.page.waitForURL('**/bare?landed');
    await run(`
      window.push = history.pushState.bind(history); // As routers do when they start.
      push({}, '', '/pricing');
      document.title = 'Pricing';
      const tag = document.createElement('script');
      Object.assign(tag, { src: '/js/script.js' }).dataset.site = 'shop.example';
      document.head.append(tag);
    `);
    const [shown] = await tracked.recorder.waitFor(1);
    const origin = `http://shop.example:${tracked.recorder.port}`;
    assert.equal(shown?.url, `${origin}/pricing`);
    assert.equal(shown?.title, 'Pricing');
    assert.equal(shown?.referrer, `${origin}/bare`);
    await wentTo(2, "push({}, '', '/next')");
  });

  it('counts pages in browsers that tell of no navigation, and what a person left at once', async () => {
    await tracked.page.addInitScript(
      "Object.defineProperty(window, 'navigation', { value: undefined })",
    );
    await open('/');
    await wentTo(2, "history.pushState({}, '', '/pushed')");
    await tracked.page.goBack();
    await tracked.recorder.waitFor(3);
    await run(`
      history.pushState({}, '', '/seen');
      document.body.click();
      history.pushState({}, '', '/next');
    `);
    const events = await tracked.recorder.waitFor(5);
    const paths = events.map(({ url }) => new URL(url).pathname);
    assert.deepEqual(paths, ['/', '/pushed', '/', '/seen', '/next']);
  });

  it('keeps one visit where reading and writing cookies and storage fails', async () => {
    await tracked.page.addInitScript(`{
      const fail = () => { throw new DOMException('denied', 'SecurityError') };
      Object.defineProperty(Document.prototype, 'cookie', { get: fail, set: fail });
      Object.defineProperty(window, 'localStorage', { get: fail });
    }`);
    await open('/');
    await goal('again');
    const [first, second] = await tracked.recorder.waitFor(2);
    assert.equal(second?.service_visitor_id, first?.service_visitor_id);
    assert.equal(second?.visit_id, first?.visit_id);
  });

  it('keeps one visit where only its own cookies are refused, and its storage is broken', async () => {
    await tracked.page.addInitScript(`{
      Object.defineProperty(Document.prototype, 'cookie', { get: () => 'consent=none', set() {} });
      Object.defineProperty(window, 'localStorage', {
        value: new Proxy({}, { get() { throw new Error('corrupted') } }),
      });
    }`);
    await open('/');
    await goal('again');
    const [first, second] = await tracked.recorder.waitFor(2);
    assert.equal(second?.service_visitor_id, first?.service_visitor_id);
    assert.equal(second?.visit_id, first?.visit_id);
  });

  it('tries domains that are too wide once in a page', async () => {
    await tracked.page.addInitScript(`{
      const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
      window.written = [];
      Object.defineProperty(Document.prototype, 'cookie', {
        get,
        set(cookie) { written.push(/domain=([^;]*)/.exec(cookie)[1]); set.call(this, cookie); },
      });
    }`);
    const domains = async () => [...new Set((await run('written')) as string[])];
    await open('/', 'www.shop.co.uk');
    assert.deepEqual(await domains(), ['co.uk', 'shop.co.uk']);
    await run('written.length = 0');
    await goal('one');
    assert.deepEqual(await domains(), ['shop.co.uk']);
    await open('/', 'a.b.shop.example');
    assert.deepEqual(await domains(), ['shop.example']);
  });

  it('keeps its cookies on the host alone where the tag says so', async () => {
    await open('/host', 'ada.shop.example');
    await open('/host', 'eve.shop.example');
    await goal('end');
    const events = await tracked.recorder.waitFor(3);
    const visitors = events.map(({ service_visitor_id }) => service_visitor_id);
    assert.equal(new Set(visitors).size, 2);
    assert.equal(visitors[2], visitors[1]);
    assert.deepEqual([...new Set(events.map(({ cookie_domain }) => cookie_domain))], ['']);
    const cookies = await tracked.visitor.cookies();
    assert.deepEqual([...new Set(cookies.map(({ domain }) => domain))].toSorted(), [
      'ada.shop.example',
      'eve.shop.example',
    ]);
  });

  const clicked = (links: string) => `
    document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(links)});
    addEventListener('click', (event) => event.preventDefault());
    for (const link of document.querySelectorAll('[id]')) {
      link.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, cancelable: true }));
      (window.followed ??= []).push(link.getAttribute('href') ?? link.getAttribute('xlink:href'));
    }`;

  it('reports links in drawings, and no image of them', async () => {
    await open('/linked');
    await run(
      clicked(`<svg xmlns:xlink="http://www.w3.org/1999/xlink">
        <a href="http://elsewhere.example/a"><text id="out" y="20">Out</text></a>
        <a id="old" xlink:href="http://elsewhere.example/b"></a>
        <a id="tea" href="http://tea.example/c"></a>
        <a id="near" href="/near"></a>
        <image id="image" href="http://cdn.example/d.png"></image>
        <a id="broken" href="http://%zz/"></a>
      </svg>`),
    );
    await goal('end');
    const events = await tracked.recorder.waitFor(4);
    assert.deepEqual(
      events.map(({ type, target }) => target ?? type),
      ['pageview', 'http://elsewhere.example/a', 'http://elsewhere.example/b', 'goal'],
    );
    assert.match(
      String(((await run('followed')) as string[])[2]),
      /^http:\/\/tea\.example\/c\?&tributary=/,
    );
  });

  for (const path of ['/', '/cookieless']) {
    it(`takes no subdomain of the site for another site at ${path}`, async () => {
      await open(path, 'www.shop.example');
      await run(
        clicked(`<a id="a" href="http://shop.example/">A</a> <a id="b" href="http://blog.shop.example/">B</a>
          <a id="c" href="http://notshop.example/">C</a> <a id="d" href="http://shop.example.com/">D</a>`),
      );
      await goal('end');
      const events = await tracked.recorder.waitFor(4);
      assert.deepEqual(
        events.map(({ type, target }) => target ?? type),
        ['pageview', 'http://notshop.example/', 'http://shop.example.com/', 'goal'],
      );
    });
  }

  it('counts no hours of a computer that sleeps', async () => {
    await tracked.page.clock.install();
    await open('/');
    await tracked.recorder.waitFor(1);
    await tracked.page.clock.runFor(60_000);
    await tracked.page.clock.fastForward('05:00:00');
    await open('/next');
    const [spent] = await tracked.recorder.waitForType('engagement');
    assert.ok(
      (spent?.engagement_ms ?? 0) >= 60_000 && (spent?.engagement_ms ?? 0) < 120_000,
      `${spent?.engagement_ms}`,
    );
  });

  it('leaves an application its state when a link carried ids', async () => {
    await open(`/bare?x=1&tributary=mallory${'0'.repeat(36)}${Date.now()}`);
    await run("history.replaceState({ key: 7 }, '')");
    await run(`new Promise((resolve) => {
      const tag = document.createElement('script');
      Object.assign(tag, { src: '/js/script.js', onload: resolve }).dataset.site = 'shop.example';
      document.head.append(tag);
    })`);
    await waitUntil(
      () => run('[location.search, history.state.key].join()'),
      (state) => state === '?x=1,7',
    );
  });
});
