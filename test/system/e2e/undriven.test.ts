import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { instantOfUuid } from '#ingest/new-uuid.ts';
import { CHROMIUM_PATH, PERSONS_ARGS } from './open-browser.ts';
import { type Recorder, recordEvents } from './record-events.ts';

/** A busy browser may load a prerendered page again. */
const TRIES = 4;

/** Continues once the page prerendered by its rules has run. */
const UNTIL_READY = `const ready = new Promise((resolve) => {
    const look = () => fetch('/asked').then((answer) => answer.text())
      .then((asked) => asked.includes('/ran') ? resolve() : setTimeout(look, 20));
    look();
  });`;

/** Pages that act on their own. */
const PAGES: Readonly<Record<string, string>> = {
  '/speculating': `<script type="speculationrules">
      {"prerender":[{"urls":["/early"],"eagerness":"immediate"}]}</script>
    <script type="module">${UNTIL_READY}
      await ready;
      tributary('goal', 'ready');
      await new Promise((resolve) => setTimeout(resolve, 300));
      location.href = '/early';
    </script>`,
  '/early': `<p data-scroll-goal="top">Top</p>
    <script type="module">
      tributary('goal', document.prerendering ? 'said_unseen' : 'said_seen');
      document.addEventListener('prerenderingchange', () => tributary('goal', 'activated'));
      fetch('/ran');
    </script>`,
  '/back': `<script type="module">
      addEventListener('pageshow', ({ persisted }) => {
        if (persisted) tributary('goal', 'brought_back');
        else setTimeout(() => { location.href = '/away' }, 100);
      });
    </script>`,
  '/away': '<script type="module">setTimeout(() => history.back(), 300)</script>',
};

// Driven browsers disable prerendering and the back-forward cache, which the headless shell does not have.
describe('the tracker in a browser that nobody drives', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-browser-'));
  let recorder: Recorder;
  before(async () => {
    recorder = await recordEvents((path) =>
      path === '/asked'
        ? recorder.paths.join(' ')
        : `<!doctype html><title>${path}</title><link rel="icon" href="data:,">
          <script defer data-site="shop.example" src="/js/script.js"></script>${PAGES[path] ?? ''}`,
    );
  });
  beforeEach(() => recorder.clear());
  after(async () => {
    await recorder?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  async function browse(path: string, look: () => Promise<void>): Promise<void> {
    const url = `http://shop.example:${recorder.port}${path}`;
    const profile = `--user-data-dir=${mkdtempSync(join(folder, 'profile-'))}`;
    const args = ['--headless', profile, '--remote-debugging-port=0', ...PERSONS_ARGS, url];
    const browser = spawn(CHROMIUM_PATH, args, { stdio: 'ignore' });
    const ended = once(browser, 'exit');
    try {
      await look();
    } finally {
      browser.kill();
      await ended;
    }
  }

  const said = () =>
    recorder.events
      .filter(({ type }) => type !== 'engagement')
      .map(({ type, name, url }) => `${name ?? type} ${new URL(url).pathname}`);

  it('says nothing of a prerendered page until it is shown, and then all', async () => {
    const isUnprepared = () => said().includes('said_seen /early');
    for (let tries = 1; tries === 1 || (tries <= TRIES && isUnprepared()); tries += 1) {
      recorder.clear();
      await browse('/speculating', () =>
        recorder.waitFor(5).then(
          () => {},
          (error) => assert.ok(isUnprepared(), error),
        ),
      );
    }
    assert.deepEqual(said().toSorted(), [
      'activated /early',
      'pageview /early',
      'pageview /speculating',
      'ready /speculating',
      'said_unseen /early',
    ]);
    const early = recorder.events.filter(({ url }) => url.endsWith('/early'));
    const ready = recorder.events.find(({ name }) => name === 'ready');
    for (const { event_id } of early) {
      assert.ok(instantOfUuid(event_id) >= instantOfUuid(ready?.event_id ?? '') + 290);
    }
    const shown = early.find(({ type }) => type === 'pageview');
    assert.equal(new URL(shown?.referrer ?? '').pathname, '/speculating');
  });

  it('counts a page again that the back-forward cache brings back, once', async () => {
    await browse('/back', () => recorder.waitFor(4).then(() => {}));
    assert.deepEqual(said().toSorted(), [
      'brought_back /back',
      'pageview /away',
      'pageview /back',
      'pageview /back',
    ]);
    const visits = new Set(recorder.events.map(({ visit_id }) => visit_id));
    assert.equal(visits.size, 1);
  });
});
