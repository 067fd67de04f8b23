import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { OwnVisitsAnswer } from '#contract/sites/own-visits.ts';
import { addSite } from '../../server/add-site.ts';
import { type BrowserCalls, signInAsOwner } from '../../server/browser-calls.ts';
import { shareServer } from '../../server/share-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { openVisitor } from './open-browser.ts';
import { shareBrowser } from './share-browser.ts';

describe('a browser whose user leaves it out of the figures', () => {
  let owner: BrowserCalls;
  let pages: Server;
  let page: Page;
  let path: string;
  before(async () => {
    const tributary = await shareServer();
    path = `/api/v1/sites/${await addSite(tributary.dataDir, 'mine.example')}/own-visits`;
    owner = await signInAsOwner(tributary);
    // The server sees within a second what another process has added.
    const ask = () => owner.call('POST', path, { excluded: true });
    await waitUntil(ask, ({ status }) => status === 200);
    const { port } = new URL(tributary.url);
    const html = `<!doctype html><title>Mine</title><link rel="icon" href="data:,"><script defer data-site="mine.example" src="http://stats.mine.example:${port}/js/script.js"></script>`;
    pages = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end(html),
    );
    await once(pages.listen(0, '127.0.0.1'), 'listening');
    page = await (await openVisitor(await shareBrowser())).newPage();
  });
  after(async () => {
    await page?.context().close();
    pages?.closeAllConnections();
    pages?.close();
  });

  /** What the server answers to the page's first event. */
  async function open(search = ''): Promise<unknown> {
    const sent = page.waitForResponse((answer) => answer.request().method() === 'POST');
    const { port } = pages.address() as AddressInfo;
    await page.goto(`http://www.mine.example:${port}/${search}`);
    const answer: { dropped: { reason: string }[] } = await (await sent).json();
    return answer.dropped[0]?.reason ?? 'counted';
  }
  const ask = async (excluded: boolean): Promise<OwnVisitsAnswer> =>
    (await owner.call('POST', path, { excluded })).body;
  const stateOf = async ({ id }: OwnVisitsAnswer): Promise<unknown> =>
    (await owner.call('GET', `${path}/${id}`)).body.state;
  const visitorOf = async () => {
    const cookies = await page.context().cookies();
    return cookies.find(({ name }) => name === 'service_visitor_id')?.value ?? '';
  };

  it('is not counted from the page on that the link opens', async () => {
    assert.equal(await open(), 'counted');
    const link = await ask(true);
    assert.match(link.url, /^https:\/\/mine\.example\/\?tributary_own_visits=/);
    assert.equal(await stateOf(link), 'waiting');
    assert.equal(await open(new URL(link.url).search), 'excluded');
    assert.equal(await stateOf(link), 'done');
    await waitUntil(visitorOf, (id) => id.startsWith('own-visits-'));
    assert.equal(await open('pricing'), 'excluded');
    assert.equal(await open(new URL(link.url).search), 'excluded');
  });

  it('counts again, as a new visitor, by another link', async () => {
    const link = await ask(false);
    await open(new URL(link.url).search);
    assert.equal(await stateOf(link), 'done');
    await waitUntil(visitorOf, (id) => !id.startsWith('own-visits-'));
    assert.equal(await open('pricing'), 'counted');
  });

  it('hears how long links last when it asks about one that there is not', async () => {
    const { status, body } = await owner.call('GET', `${path}/nothing`);
    assert.equal(status, 404);
    assert.match(body.error.message, /lasts ten minutes/);
  });

  it('cannot be left out where it sends Global Privacy Control to a site that then sets no cookie', async () => {
    const site = path.replace('/own-visits', '');
    await owner.call('PATCH', site, { settings: { cookieless: 'gpc' } });
    const asked = await owner.call('POST', path, { excluded: true }, { 'sec-gpc': '1' });
    assert.equal(asked.body.state, 'cookieless');
  });
});
