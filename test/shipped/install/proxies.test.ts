import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { ROOT } from '../../architecture/source-files.ts';
import { makeCertificate } from '../../providers/make-certificate.ts';
import { findFreePort } from '../../run/find-free-port.ts';
import { isMissing } from '../../run/is-missing.ts';
import { CADDY, NGINX, runProxies } from '../../run/run-proxies.ts';
import { addSite } from '../../server/add-site.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { readCompose } from './read-compose.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const HOST = 'hi.example.com';
const YEAR_MS = 365 * 86_400_000;

type Answer = { readonly status: number; readonly location: string; readonly body: string };

describe('behind a proxy with HTTPS, by the files in deploy', () => {
  const proxies = runProxies();
  let tributary: TestServer;

  before(async () => {
    const env = { BASE_URL: `https://${HOST}`, TRUSTED_PROXIES: '127.0.0.1' };
    tributary = await startServer({ env });
    await addSite(tributary.dataDir, 'shop.example');
  });
  after(async () => {
    await proxies.end();
    await tributary?.stop();
    tributary?.cleanUp();
  });

  /** The dashboard with its secure cookies, and an event from another site's page. */
  async function assertServed(port: number): Promise<void> {
    const untilOpen = () => ask(port, 'GET', '/healthz').catch(() => undefined);
    await waitUntil(untilOpen, (answer) => answer?.status === 200);
    const page = await ask(port, 'GET', '/sign-in');
    assert.match(page.body, /<div id="root">/, String(page.status));
    const url = 'https://shop.example/';
    const event = { site: 'shop.example', type: 'pageview', service_visitor_id: 'ada', url };
    const sent = await ask(port, 'POST', '/api/v1/events', JSON.stringify({ events: [event] }));
    assert.deepEqual(JSON.parse(sent.body), { status: 'success', accepted: 1, dropped: [] });
    assert.doesNotMatch(tributary.said(), /TRUSTED_PROXIES/);
  }

  it('nginx serves Tributary, and sends HTTP there', async (context) => {
    if (isMissing(context, NGINX, 'nginx-light')) return;
    const [plain, secure] = [await findFreePort(), await findFreePort()];
    const { folder } = proxies;
    const { certificate, key } = makeCertificate(HOST, new Date(), new Date(Date.now() + YEAR_MS));
    writeFileSync(join(folder, 'fullchain.pem'), certificate);
    writeFileSync(join(folder, 'privkey.pem'), key.export({ type: 'pkcs8', format: 'pem' }));
    const servers = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8')
      .replaceAll(`/etc/letsencrypt/live/${HOST}`, folder)
      .replace('listen 80;', `listen 127.0.0.1:${plain};`)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${secure} ssl;`)
      .replace('http://127.0.0.1:8787', tributary.url);
    proxies.runNginx(servers);
    await assertServed(secure);
    const redirected = await fetch(`http://127.0.0.1:${plain}/a?b=c`, {
      ...{ redirect: 'manual', headers: { host: HOST } },
    });
    assert.equal(redirected.status, 301);
    assert.match(redirected.headers.get('location') ?? '', /^https:\/\/[^/]+\/a\?b=c$/);
  });

  it('Caddy serves it with a certificate of its own, as in compose.yaml', async (context) => {
    if (isMissing(context, CADDY, 'caddy')) return;
    const [plain, secure] = [await findFreePort(), await findFreePort()];
    const { caddy } = readCompose();
    const proxied = readFileSync(join(ROOT, 'deploy/Caddyfile'), 'utf8');
    assert.deepEqual(Object.keys(caddy.environment), ['DOMAIN', 'UPSTREAM']);
    proxies.runCaddy(
      `{\n admin off\n local_certs\n skip_install_trust\n default_bind 127.0.0.1\n http_port ${plain}\n https_port ${secure}\n}\n${proxied}`,
      { DOMAIN: HOST, UPSTREAM: new URL(tributary.url).host },
    );
    await assertServed(secure);
  });
});

/** As a browser that resolves the host to this machine, and trusts its certificate. */
function ask(port: number, method: string, path: string, body?: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = {
    ...{ host: HOST, 'user-agent': FIREFOX, accept: 'text/html,*/*' },
    'content-type': 'text/plain;charset=UTF-8',
  };
  const asked = request(
    { host: '127.0.0.1', port, method, path, headers, servername: HOST, rejectUnauthorized: false },
    async (answer) => {
      const { statusCode: status = 0, headers: said } = answer;
      resolve({ status, location: said.location ?? '', body: await text(answer) });
    },
  );
  asked.on('error', reject).end(body);
  return promise;
}
