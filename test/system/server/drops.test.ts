import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addCaller, type Caller, callerOf } from '../../server/caller.ts';
import { readMetrics } from '../../server/read-metrics.ts';
import { runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

type Drops = {
  readonly results: readonly { readonly reason: string; readonly count: number }[];
  readonly samples: readonly Record<string, string>[];
};

describe('dropped events', () => {
  let server: TestServer;
  let caller: Caller;
  before(async () => {
    server = await startServer();
    caller = await addCaller(server.url, server.dataDir, 'example.com');
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  const sendFrom = (url: string, more = {}) =>
    caller.post('/api/v1/events', {
      ...{ site: 'example.com', type: 'pageview', url, service_visitor_id: 'secret-visitor' },
      ...more,
    });

  async function ask(query = ''): Promise<{ status: number; body: Drops }> {
    const answer = await fetch(`${server.url}/api/v1/drops${query}`, {
      headers: { authorization: `Bearer ${caller.key}` },
    });
    return { status: answer.status, body: JSON.parse(await answer.text()) as Drops };
  }

  it('are counted by hour and reason, with samples that name nobody, also after a restart', async () => {
    for (let index = 0; index < 25; index++) {
      await sendFrom(`https://thief.example/user/anna@shop.example/${index}/page?token=secret`);
    }
    await sendFrom('https://example.com/', { name: 7 });
    const sum = ({ body }: { body: Drops }) => body.results.reduce((n, each) => n + each.count, 0);
    await waitUntil(ask, (found) => sum(found) === 26);

    await server.stop();
    server = await startServer({ dataDir: server.dataDir });
    caller = caller.at(server.url);
    const { body } = await ask('?days=1');
    assert.equal(sum({ body }), 26);
    const ofThief = body.samples.filter(({ reason }) => reason === 'hostname_not_allowed');
    assert.equal(ofThief.length, 20);
    assert.deepEqual(
      { ...ofThief[0], hour: '' },
      {
        hour: '',
        reason: 'hostname_not_allowed',
        type: 'pageview',
        host: 'thief.example',
        path: '/*/*/*/*',
      },
    );
    assert.ok(!JSON.stringify(body).includes('secret'));
  });

  it('are told of a range of days or instants, and by reason', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const { body } = await ask(`?from=${today}&to=${today}&reason=invalid_event`);
    assert.deepEqual(
      body.results.map(({ reason, count }) => [reason, count]),
      [['invalid_event', 1]],
    );
    assert.ok(body.samples.every(({ reason }) => reason === 'invalid_event'));
    const old = await ask('?from=2020-01-01T00:00:00Z&to=2020-01-02T12:00:00%2B01:00');
    assert.deepEqual([old.status, old.body.results], [200, []]);
  });

  it('keep no word of an address, a host or a type that somebody may be called by', async () => {
    const named = [
      'https://anna-mueller.evil.test/users/john.doe/profile#bob',
      'https://anna.github.io/patient/Karl-Heinz-Schmidt/?q=bob',
      'https://evil.test/t/deadbeefcafe',
      'http://john:secret@192.0.2.77/u/annamueller',
      'http://[2001:db8::77]/',
      'http://annas-laptop/',
    ];
    for (const url of named) await sendFrom(url);
    await sendFrom('https://evil.test/', { type: 'annamueller' });
    const { body } = await waitUntil(
      ask,
      (found) => found.body.samples.filter(({ reason }) => reason === 'invalid_event').length === 2,
    );
    const text = JSON.stringify(body.samples);
    assert.doesNotMatch(text, /anna|john|karl|patient|profile|dead|192|db8|bob|secret/i);
    const places = body.samples.map(({ type, host, path }) => `${type} ${host}${path}`);
    for (const place of ['*.evil.test/*/*/*', '*.github.io/*/*/', '*/*/*', '*/']) {
      assert.ok(places.includes(`pageview ${place}`), `${place} of ${places}`);
    }
    assert.ok(places.includes(' evil.test/'));
  });

  const broken = {
    'from=2026-01-01': '/to',
    'to=2026-01-01': '/from',
    'from=2026-02-30&to=2026-03-01': '/from',
    'from=2026-03-02&to=2026-03-01': '/from',
    'from=2026-01-01&to=2026-01-02&days=7': '/days',
    'from=&to=2026-01-01': '/from',
    'form=2026-01-01': '/form',
    'from=2026-01-01&from=2026-01-01&to=2026-01-02': '/from',
    'reason=nonsense': '/reason',
  };
  for (const [query, path] of Object.entries(broken)) {
    it(`are not told for ?${query}, and ${path} is named`, async () => {
      const { status, body } = await ask(`?${query}`);
      const { details } = (body as unknown as { error: { details: { path: string }[] } }).error;
      assert.deepEqual([status, details.map((each) => each.path)], [400, [path]]);
    });
  }

  it('of unknown sites are told by doctor, and refused joins by /metrics', async () => {
    await callerOf(server.url, 'lost.example', '').pageview('lost');
    type Findings = { findings: { check: string; found: string }[] };
    const ofSites = ({ findings }: Findings) =>
      findings.find(({ check }) => check === 'sites')?.found ?? '';
    const found = await waitUntil(
      () =>
        // The engine may not answer yet, which is a separate fault.
        runCli<Findings>(['doctor'], server.dataDir)
          .catch(({ stdout }: { stdout: string }) => JSON.parse(stdout) as Findings)
          .then(ofSites),
      (text) => text.includes('lost.example'),
    );
    assert.match(found, /^known: 1; events .*: 1, .*lost\.example$/);
    const figures = await readMetrics(server);
    assert.match(figures, /^tributary_refused_joins 0$/m);
    assert.match(figures, /^tributary_events_dropped_total\{.*reason="unknown_site".*\} 1$/m);
  });

  for (const days of ['0', '91', '-1', 'x', '1.5', '']) {
    it(`are not told of "${days}" days`, async () => {
      assert.equal((await ask(`?days=${days}`)).status, 400);
    });
  }
});
