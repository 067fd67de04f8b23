import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { toScriptPath } from '#contract/sites/script-path.ts';
import { ROOT } from '../../architecture/source-files.ts';
import { findFreePort } from '../../run/find-free-port.ts';
import { isMissing } from '../../run/is-missing.ts';
import { CADDY, NGINX, runProxies } from '../../run/run-proxies.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const HOST = 'www.shop.example';

type Answer = { readonly status: number; readonly cookie: string; readonly body: string };

describe('behind the site’s own domain', () => {
  let tributary: TestServer;
  let path: string;
  const proxies = runProxies();

  before(async () => {
    tributary = await startServer({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
    path = toScriptPath(await addSite(tributary.dataDir, 'shop.example'));
    await addSite(tributary.dataDir, 'quiet.example', { settings: { cookieless: 'always' } });
  });
  after(async () => {
    await proxies.end();
    await tributary?.stop();
    tributary?.cleanUp();
  });

  /** A page's event, as its browser sends it to the page's origin, and the script. */
  async function assertPassedOn(port: number): Promise<void> {
    const script = await ask(port, 'GET', path);
    assert.equal(script.status, 200);
    assert.match(script.body, /service_visitor_id/);
    const event = await ask(port, 'POST', path, toPageview(port));
    assert.equal(event.status, 200, event.body);
    assert.match(event.cookie, /^service_visitor_id=ada; Path=\/; Max-Age=31536000; SameSite=Lax/);
    assert.match(event.cookie, /Domain=shop\.example/);
    const other = await ask(port, 'POST', path, toPageview(port), 'http://evil.example');
    assert.equal(other.cookie, '');
  }

  it('nginx passes the script and its events on, by the guide’s configuration', async (context) => {
    if (isMissing(context, NGINX, 'nginx-light')) return;
    const port = await findFreePort();
    proxies.runNginx(`server { listen 127.0.0.1:${port}; ${fromGuide('nginx')} }`);
    await untilOpen(port, path);
    await assertPassedOn(port);
  });

  it('Caddy passes them on, by the guide’s configuration', async (context) => {
    if (isMissing(context, CADDY, 'caddy')) return;
    const port = await findFreePort();
    proxies.runCaddy(
      `{\n admin off\n auto_https off\n}\n:${port} {\n bind 127.0.0.1\n${fromGuide('caddy')}\n}\n`,
    );
    await untilOpen(port, path);
    await assertPassedOn(port);
  });

  it('a proxy that says the host apart, as Next.js does, is believed when it is trusted', async () => {
    const port = Number(new URL(tributary.url).port);
    const headers = { host: '127.0.0.1', 'x-forwarded-host': `${HOST}:${port}` };
    const answer = await ask(port, 'POST', '/api/v1/events', toPageview(port), undefined, headers);
    assert.match(answer.cookie, /^service_visitor_id=ada;/);
  });

  it('a cookieless site sets no cookie, and tells the page whom it saw', async () => {
    const port = Number(new URL(tributary.url).port);
    const url = `http://quiet.example:${port}/`;
    const event = JSON.stringify({ site: 'quiet.example', type: 'pageview', url });
    const headers = { host: `quiet.example:${port}` };
    const send = () =>
      ask(port, 'POST', '/api/v1/events', event, `http://quiet.example:${port}`, headers);
    const idOf = ({ body }: { body: string }) => JSON.parse(body).service_visitor_id as string;
    // A running server learns of a site's choice within a second.
    const first = await waitUntil(send, (answer) => idOf(answer) !== undefined);
    const second = await send();
    assert.equal(first.cookie, '');
    const id = idOf(first);
    assert.match(id, /^daily-[\w-]{22}$/);
    assert.equal(idOf(second), id);

    const key = await createKey(tributary.dataDir, 'quiet.example');
    const goal = await fetch(`${tributary.url}/api/v1/goals`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ service_visitor_id: id, name: 'signup' }),
    });
    assert.equal(goal.status, 200, 'its backend reports goals for the visitor');
  });

  /** The guide's configuration, with the address of this test's server. */
  function fromGuide(language: string): string {
    const text = readFileSync(`${ROOT}docs/guides.md`, 'utf8');
    const [, code] = new RegExp(`\`\`\`${language}\\n([^]+?)\`\`\``).exec(text) ?? [];
    assert.ok(code);
    const { port } = new URL(tributary.url);
    return code.replace('8787', port).replaceAll('/kfvtcqwnbdrh/app.js', path);
  }

  function toPageview(port: number): string {
    const url = `http://${HOST}:${port}/`;
    const event = { site: 'shop.example', type: 'pageview', service_visitor_id: 'ada', url };
    return JSON.stringify({ events: [event] });
  }
});

function ask(
  port: number,
  method: string,
  path: string,
  body?: string,
  origin = `http://${HOST}:${port}`,
  more: Record<string, string> = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = { host: `${HOST}:${port}`, 'user-agent': FIREFOX, ...more };
  const content = body === undefined ? {} : { origin, 'content-type': 'text/plain;charset=UTF-8' };
  const asked = request(
    { host: '127.0.0.1', port, method, path, agent: false, headers: { ...headers, ...content } },
    (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => {
        const cookie = answer.headers['set-cookie']?.join('\n') ?? '';
        resolve({ status: answer.statusCode ?? 0, cookie, body: text });
      });
    },
  );
  asked.on('error', reject).end(body);
  return promise;
}

function untilOpen(port: number, path: string): Promise<unknown> {
  return waitUntil(
    () =>
      ask(port, 'GET', path).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200,
  );
}
