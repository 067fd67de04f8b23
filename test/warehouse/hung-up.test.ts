import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, beforeEach, describe, it, type Mock, mock } from 'node:test';
import { promisify } from 'node:util';
import { addRoutes, type RouteParts } from '#app/add-routes.ts';
import { type Ledger, openLedger } from '#ledger/open-ledger.ts';
import type { ReportStatement } from '#report/ports.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { createServer } from '#server/create-server.ts';
import { createMetrics } from '#server/metrics.ts';
import type { Server } from '#server/server-type.ts';
import { applySchema } from '#warehouse/apply-schema.ts';
import { waitUntil } from '../server/wait-until.ts';
import { LONG, openReportEngine, type ReportEngine } from '../worlds/open-report-engine.ts';

const SITE = 'site_hung_up';
const KEY = { id: 'key_1', siteId: SITE, scopes: ['stats:read'] };
const PERIOD = { site_id: SITE, date_range: ['2026-11-01', '2026-11-30'] };
const VISITORS = { ...PERIOD, metrics: ['visitors'] };
const ofPage = (page: string) => ({ filters: [['is', 'event:page', [page]]] });
/** Far shorter than the 55 seconds that a long one takes. */
const SOON_MS = 30_000;

describe('the queries of a disconnected client', () => {
  let engine: ReportEngine;
  let ledger: Ledger;
  let server: Server;
  let port: number;
  const metrics = createMetrics(
    { backlogBytes: () => 0, setAsideBatches: () => 0, listJobs: async () => [] },
    {
      countRefusedJoins: async () => 0,
      listJobs: async () => [],
      countConverting: () => ({ converted: 0, payments: 0 }),
    },
    { warn() {} },
  );
  const folder = mkdtempSync(join(tmpdir(), 'tributary-hung-up-'));
  let said: Mock<typeof process.stderr.write>['mock'];
  /** Which of the long queries have asked the engine for something. */
  const begun = new Set<string>();

  /** Whatever names something slow is work for longer than a query may take. */
  function slowly(statement: ReportStatement): ReportStatement {
    const [name] = /slow-\d/.exec(JSON.stringify(statement.params)) ?? [];
    if (name === undefined) return statement;
    begun.add(name);
    return LONG;
  }

  before(async () => {
    engine = await openReportEngine();
    await applySchema(engine.warehouse);
    ledger = await openLedger({ location: join(folder, 'ledger.db') });
    const { report } = engine;
    const queries = createReports({
      now: () => Date.parse('2026-11-21T12:00:00Z'),
      warehouse: {
        select: (statement, stops) => report.select(slowly(statement), stops),
        selectFile: (statement, ...how) => report.selectFile(slowly(statement), ...how),
      },
    });
    const settings = {
      ...{ baseUrl: undefined, trustedProxies: [], logLevel: 'warn', connectionsMax: 1_000 },
      ...{ rateLimitReads: 0, rateLimitWrites: 0 },
    };
    server = createServer(settings);
    await addRoutes(server, {
      behindSeconds: () => 0,
      settings,
      ledger: {
        ...ledger,
        findKey: () => KEY,
        findSite: () => ({ id: SITE, domain: 'a.example', timezone: 'UTC', currency: 'EUR' }),
      },
      liveWatch: { close() {} },
      accounts: {},
      ...{ reports: queries, metrics },
    } as unknown as RouteParts); // Nothing is written here.
    await server.listen({ host: '127.0.0.1', port: 0 });
    ({ port } = server.server.address() as AddressInfo);
  });
  after(async () => {
    server.server.closeAllConnections();
    await server.close();
    await engine.close();
    await ledger.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    begun.clear();
    said = mock.method(process.stderr, 'write', () => true).mock;
  });
  afterEach(() => said.restore());

  /** Asks on a connection of its own. */
  function ask(path: string, body: unknown, accept = 'application/json'): ClientRequest {
    const headers = { authorization: 'Bearer key', 'content-type': 'application/json', accept };
    const method = body === undefined ? 'GET' : 'POST';
    const asked = request(`http://127.0.0.1:${port}/api/v1/${path}`, {
      method,
      headers,
      agent: false,
    });
    asked.on('error', () => {});
    asked.end(body === undefined ? undefined : JSON.stringify(body));
    return asked;
  }

  const isAnswered = async (asked: ClientRequest) => {
    const [answer] = await once(asked, 'response', { signal: AbortSignal.timeout(SOON_MS) });
    return [answer.statusCode, await text(answer)];
  };

  const countConnections = () => promisify(server.server.getConnections.bind(server.server))();

  async function countAnswers(): Promise<Record<string, number>> {
    const answers = await metrics.registry.getSingleMetric('tributary_answers_total')?.get();
    const codes = Map.groupBy(answers?.values ?? [], ({ labels }) => String(labels.code));
    const sum = (values: readonly { readonly value: number }[]) =>
      values.reduce((total, { value }) => total + value, 0);
    return Object.fromEntries([...codes].map(([code, values]) => [code, sum(values)]));
  }

  it('are aborted, running or queued, unless others wait for the same query', async () => {
    const steps = [
      { type: 'page', path: '/slow-2' },
      { type: 'page', path: '/b' },
    ];
    const slow = [
      ask('query', { ...VISITORS, ...ofPage('/slow-1') }),
      ask('query/funnel', { ...PERIOD, steps }),
      ask('query', { ...VISITORS, ...ofPage('/slow-3') }, 'application/vnd.apache.parquet'),
      ask('query/visitors', { ...PERIOD, ...ofPage('/slow-4') }),
      ask('visitors/slow-5/story', undefined),
    ];
    await waitUntil(
      async () => begun.size,
      (count) => count >= 3,
    );
    await waitUntil(engine.countLong, (count) => count > 0);
    const inLine = connect(port, '127.0.0.1').on('error', () => {});
    for (const page of ['/slow-6', '/slow-7']) {
      inLine.write(toRequest({ ...VISITORS, ...ofPage(page) }));
    }
    const quick = [ask('query', VISITORS), ask('query', VISITORS), ask('query', VISITORS)];
    await waitUntil(countConnections, (count) => count === slow.length + 1 + quick.length);
    for (const each of [...slow, inLine, ...quick.slice(1)]) each.destroy();
    const [code, body] = await isAnswered(quick[0] as ClientRequest);
    assert.equal(code, 200, body);
    await waitUntil(engine.countLong, (count) => count === 0, SOON_MS);
    assert.deepEqual(
      [...begun].filter((name) => /[67]/.test(name)),
      [],
      'what waited has never begun',
    );
    assert.deepEqual(await countAnswers(), { 200: 1 });
    assert.equal(said.callCount(), 0, 'nothing is logged');
  });

  it('do not include earlier or later queries on the same connection', async () => {
    const warned = mock.fn();
    process.on('warning', warned);
    const query = toRequest(VISITORS);
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    let read = '';
    socket.on('data', (chunk) => {
      read += chunk;
    });
    for (const count of [1, 2, 22]) {
      const before = read.split('HTTP/1.1 200 ').length - 1;
      socket.write(query.repeat(count - before));
      await waitUntil(
        async () => read.split('HTTP/1.1 ').length - 1,
        (answered) => answered === count,
      );
      assert.equal(read.split('HTTP/1.1 200 ').length - 1, count, read);
    }
    socket.destroy();
    process.off('warning', warned);
    assert.deepEqual([said.callCount(), warned.mock.callCount()], [0, 0]);
  });
});

/** A query as it is written on a connection. */
function toRequest(query: unknown): string {
  const body = JSON.stringify(query);
  const head = `host: a\r\nauthorization: Bearer key\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  return `POST /api/v1/query HTTP/1.1\r\n${head}\r\n\r\n${body}`;
}
