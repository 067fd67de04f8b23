import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { MINUTE_MS } from '#domain/time/durations.ts';
import { newUuid } from '#ingest/new-uuid.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { makeDataDir, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const SITE = 'example.com';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

type Event = Readonly<Record<string, unknown>>;

describe('an event that is sent more than once', () => {
  const dataDir = makeDataDir();
  let server: TestServer;
  let caller: Caller;

  before(async () => {
    server = await startServer({ dataDir });
    caller = await addCaller(server.url, dataDir, SITE);
    await waitUntil(
      () => caller.query({ metrics: ['pageviews'] }),
      ({ status }) => status === 200,
    );
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  const page = (changes: Event = {}): Event => ({
    ...{ site: SITE, type: 'pageview', url: `https://${SITE}/`, event_id: newUuid(Date.now()) },
    ...{ service_visitor_id: randomUUID(), ...changes },
  });

  /** On its own connection; retries if nothing is recorded because the warehouse is busy. */
  function send(events: readonly Event[], key?: string, tries = 10): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = {
        ...{ 'content-type': 'application/json', 'user-agent': BROWSER },
        ...(key && { authorization: `Bearer ${key}` }),
      };
      const options = { method: 'POST', agent: false, headers };
      const asked = request(`${server.url}/api/v1/events`, options, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        const { accepted } = JSON.parse(text) as { accepted?: number };
        if (accepted === events.length) resolve(accepted);
        else if (response.statusCode === 503 && tries > 1) resolve(send(events, key, tries - 1));
        else reject(new Error(`${response.statusCode}: ${text}`));
      });
      asked.on('error', reject);
      asked.end(JSON.stringify({ events }));
    });
  }

  /** A test's pageviews, once the last one, a marker, has arrived, and the required number. */
  async function countOf(path: string, atLeast = 0): Promise<number> {
    await send([page({ url: `https://${SITE}/mark${path}`, event_id: undefined })]);
    const ask = async (value: string) => {
      const filters = [['is', 'event:page', [value]]];
      const { body } = await caller.query({ metrics: ['pageviews'], filters });
      return Number((body as { results: { metrics: number[] }[] }).results[0]?.metrics[0]);
    };
    await waitUntil(
      () => ask(`/mark${path}`),
      (marks) => marks > 0,
    );
    // Events recorded in the ledger ship apart from the marker.
    return waitUntil(
      () => ask(path),
      (count) => count >= atLeast,
    );
  }

  it('counts once when its first sending was recorded', async () => {
    const events = Array.from({ length: 12 }, () => page({ url: `https://${SITE}/recorded` }));
    await Promise.all(events.map((event) => send([event])));
    await Promise.all(events.map((event) => send([{ ...event, retry: true }])));
    assert.equal(await countOf('/recorded', 12), 12);
  });

  it('counts once when its first sending never came, however many come at once', async () => {
    const lost = page({ url: `https://${SITE}/lost`, retry: true });
    await Promise.all(Array.from({ length: 16 }, () => send([lost])));
    assert.equal(await countOf('/lost', 1), 1);
  });

  it('is recorded beside what is sent for the first time in the same request', async () => {
    const first = page({ url: `https://${SITE}/beside` });
    await send([first]);
    await send([{ ...first, retry: true }, page({ url: `https://${SITE}/beside` })]);
    assert.equal(await countOf('/beside', 2), 2);
  });

  it('counts once when it waits beside one that is sent again, and is sent again meanwhile', async () => {
    const [first, ...events] = Array.from({ length: 12 }, () =>
      page({ url: `https://${SITE}/chain` }),
    );
    let before = { ...first, retry: true };
    const sendings = events.map((event) => {
      const sending = send([before, event]);
      before = { ...event, retry: true };
      return sending;
    });
    await Promise.all([...sendings, send([before])]);
    assert.equal(await countOf('/chain', 12), 12);
  });

  it('lies where it happened, in its own visit', async () => {
    const at = Date.now() - 95 * MINUTE_MS;
    const visitor = randomUUID();
    const late = page({
      ...{ service_visitor_id: visitor, event_id: newUuid(at), visit_id: newUuid(at) },
      ...{ url: `https://${SITE}/late`, sent_at: Date.now(), retry: true },
    });
    await send([late]);
    await countOf('/late', 1);
    const ask = async () => {
      const { body } = await caller.query({
        metrics: ['visits', 'visit_duration'],
        filters: [['is', 'event:page', ['/late']]],
      });
      return (body as { results?: { metrics: number[] }[] }).results?.[0]?.metrics;
    };
    // The engine shows an event a moment before it shows the visit that it makes of it.
    const metrics = await waitUntil(ask, (found) => found !== undefined && found[0] !== 0);
    assert.deepEqual(metrics, [1, 0]);
  });

  it('counts once under a server’s id, at once and after a restart', async () => {
    const at = Date.now() - 24 * 60 * MINUTE_MS;
    const imported = Array.from({ length: 40 }, (_, index) =>
      page({ url: `https://${SITE}/import`, event_id: newUuid(at + index), occurred_at: at }),
    );
    await Promise.all(Array.from({ length: 6 }, () => send(imported, caller.key)));
    await server.kill();
    server = await startServer({ dataDir });
    caller = caller.at(server.url);
    await Promise.all(Array.from({ length: 4 }, () => send(imported, caller.key)));
    assert.equal(await countOf('/import', 40), 40);
  });

  it('gives its visitor a goal at once', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const event = page();
        await send([event], caller.key);
        return (await caller.goal(String(event.service_visitor_id), 'signup')).status;
      }),
    );
    assert.deepEqual([...new Set(statuses)], [200]);
  });
});
