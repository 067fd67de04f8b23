import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createChecker } from '#contract/checker.ts';
import { ERROR_TYPES, ErrorAnswer, type ErrorType } from '#contract/error.ts';
import { addSite, createKey, withLedgerOf } from '../../server/add-site.ts';
import { shareServer } from '../../server/share-server.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';

/** The site that receives bad input. */
export const SITE = 'example.com';
/** A person and a bot, with one pageview each. */
export const VISITOR = 'a-person';
export const BOT = 'a-bot';

/** The user agent of a person's browser. */
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A test's request: omitted parts are as a good caller would send them. */
export type SentRequest = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
};

/** A parsed answer. */
export type ReadAnswer = {
  readonly code: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
};

/** The expected form of a refusal. */
export type Expected = {
  readonly type: ErrorType;
  /** JSON pointers of all faults, in any order. */
  readonly paths?: readonly string[];
};

/** A real server with a site, a key, and two visitors, and assertions for refusals. */
export interface RefusingServer {
  readonly server: TestServer;
  /** A key of the site with every scope by default. */
  readonly key: string;
  send(request: SentRequest): Promise<ReadAnswer>;
  /** Sends it, asserts the refusal's whole form, and that nothing was recorded. */
  assertRefused(request: SentRequest, expected: Expected): Promise<ReadAnswer>;
  /** Asserts that `work` records nothing at all. */
  assertNothingRecorded<T>(work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/** More than any test asks or writes, except those of the limits. */
const NO_LIMITS = { RATE_LIMIT_READS: '0', RATE_LIMIT_WRITES: '10000' };

/** The site on a server shared by the files of this process. Each file has its own, under the same name. */
export async function shareRefusingServer(): Promise<RefusingServer> {
  const server = await shareServer({ TRUSTED_PROXIES: '127.0.0.1', ...NO_LIMITS });
  return openSite(server, () =>
    withLedgerOf(server.dataDir, async (ledger) => {
      await ledger.removeSite(SITE);
    }),
  );
}

/** Starts a separate server with these settings. */
export async function startRefusingServer(
  env: Readonly<Record<string, string>>,
): Promise<RefusingServer> {
  const server = await startServer({ env });
  return openSite(server, async () => {
    await server.stop();
    server.cleanUp();
  });
}

/** Adds the site, with one pageview each of a person and a bot. */
async function openSite(server: TestServer, stop: () => Promise<void>): Promise<RefusingServer> {
  await addSite(server.dataDir, SITE);
  const key = await createKey(server.dataDir, SITE);
  const send = (request: SentRequest) => sendTo(server.url, key, request);

  async function assertNothingRecorded<T>(work: () => Promise<T>): Promise<T> {
    const before = readRecord(server.dataDir);
    const result = await work();
    assert.deepEqual(readRecord(server.dataDir), before);
    return result;
  }

  await untilSiteIsKnown(send);
  for (const [visitor, userAgent] of [
    [VISITOR, BROWSER],
    [BOT, 'Googlebot/2.1'],
  ] as const) {
    const answer = await send({
      path: '/api/v1/events',
      headers: { authorization: undefined, 'user-agent': userAgent },
      body: pageview({ service_visitor_id: visitor }),
    });
    assert.equal(answer.body.accepted, 1);
  }

  return {
    server,
    key,
    send,
    assertNothingRecorded,
    assertRefused: (request, expected) =>
      assertNothingRecorded(async () => {
        const answer = await send(request);
        assertIsRefusal(answer, expected);
        return answer;
      }),
    stop,
  };
}

/** A valid pageview, with a test's changes. */
export function pageview(changes: Readonly<Record<string, unknown>> = {}) {
  const url = `https://${SITE}/`;
  return { site: SITE, type: 'pageview', url, service_visitor_id: VISITOR, ...changes };
}

/** A valid goal, with a test's changes. */
export function goal(changes: Readonly<Record<string, unknown>> = {}) {
  return { service_visitor_id: VISITOR, name: 'signup', ...changes };
}

/** A valid payment, with a test's changes. */
export function payment(changes: Readonly<Record<string, unknown>> = {}) {
  return { amount: 29.99, currency: 'USD', transaction_id: 'refused-1', ...changes };
}

const refusalChecker = createChecker(ErrorAnswer);

/** Asserts that an answer is a refusal of this type, in the one form of all refusals. */
export function assertIsRefusal(answer: ReadAnswer, { type, paths }: Expected): void {
  const { body } = answer;
  assert.ok(refusalChecker.isValid(body), JSON.stringify(body));
  assert.equal(body.error.type, type, JSON.stringify(body));
  assert.equal(body.error.code, ERROR_TYPES[type].code);
  assert.equal(answer.code, ERROR_TYPES[type].code);
  assert.equal(body.error.request_id, answer.headers.get('x-request-id'));
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  if (paths === undefined) return;
  const found = body.error.details.map(({ path }) => path);
  assert.deepEqual(found.toSorted(), paths.toSorted(), JSON.stringify(body.error.details));
}

async function sendTo(url: string, key: string, request: SentRequest): Promise<ReadAnswer> {
  const { method = 'POST', path, headers = {}, body } = request;
  const sent = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...headers,
  };
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: Object.entries(sent).filter((pair): pair is [string, string] => pair[1] !== undefined),
    ...(body === undefined ? {} : { body: toBytes(body) }),
  });
  const text = await answer.text();
  return {
    code: answer.status,
    headers: answer.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

/** Bytes, so that no content type is added. */
function toBytes(body: unknown): Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new TextEncoder().encode(text);
}

/** A running server learns of a new site within a second. */
async function untilSiteIsKnown(send: RefusingServer['send']): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { body } = await send({ path: '/api/v1/goals', body: {} });
    if ((body.error as { type?: string }).type === 'invalid_request') return;
    assert.ok(Date.now() < deadline, 'the server does not know the new site');
  }
}

const EVER_NUMBERED = "sqlite_sequence WHERE name NOT IN ('drop_samples', 'people')";
/** Without earlier sites: what their events said of a person is applied after the answer. */
const PEOPLE = `people WHERE site_id = (
  SELECT id FROM sites WHERE domain = '${SITE}' AND removed_at IS NULL
)`;

/**
 * What is on disk of payments, refunds, answers, people and events: the ledger's rows, and how many batches each
 * queue ever took. Requests are recorded before they are answered, except for samples of dropped events, which are
 * written later.
 */
export function readRecord(dataDir: string): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  const ledger = new DatabaseSync(join(dataDir, 'ledger.db'), { readOnly: true });
  for (const table of ['payments', 'refunds', 'answers', EVER_NUMBERED, PEOPLE]) {
    record[table] = ledger.prepare(`SELECT * FROM ${table}`).all();
  }
  ledger.close();
  const journals = join(dataDir, 'journal');
  for (const file of readdirSync(journals).filter((name) => name.endsWith('.db'))) {
    const journal = new DatabaseSync(join(journals, file), { readOnly: true });
    record[file] = journal.prepare('SELECT * FROM sqlite_sequence').all();
    journal.close();
  }
  return record;
}
