import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chance, createChance } from '#cli/demo/chance.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import type { Oracle } from './oracle.ts';
import { SITE, type TortureServer } from './torture-server.ts';

/** An answer; status 0 if the connection broke before one. */
export type Answer = { readonly status: number; readonly body: string; readonly tookMs: number };

/** The outcome of a load, as seen by its senders. */
export type LoadFigures = {
  requests: number;
  /** Answers by status; 0 for connections that broke. */
  readonly statuses: Map<number, number>;
  readonly latenciesMs: number[];
};

/** Senders that run until stopped. */
export interface RunningLoad {
  readonly figures: LoadFigures;
  /** Resolves when every sender has its last answer, retries included. */
  end(): Promise<void>;
}

/** The settings of a load. */
export type LoadOptions = {
  readonly server: Pick<TortureServer, 'port' | 'key'>;
  readonly oracle: Oracle;
  readonly seed: number;
  /** The first sender's random stream under the seed; each other sender takes the next. */
  readonly stream?: number;
  readonly senders: number;
  readonly batch: number;
  /** Numbers of goals and of payments per hundred requests. */
  readonly goals?: number;
  readonly payments?: number;
  readonly pauseMs?: number;
  /** A server's events are up to this many days old, and so in several of the warehouse's partitions. */
  readonly daysBack?: number;
};

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const REPEAT_AFTER_MS = 50;

/** Starts senders of events, goals, payments and refunds, each with one request in flight. */
export function startLoad(options: LoadOptions): RunningLoad {
  const agent = new Agent({ keepAlive: true });
  const figures: LoadFigures = { requests: 0, statuses: new Map(), latenciesMs: [] };
  let ending = false;
  const post: Post = async (path, body, headers) => {
    const answer = await send(agent, options.server, path, body, headers);
    figures.requests += 1;
    figures.statuses.set(answer.status, (figures.statuses.get(answer.status) ?? 0) + 1);
    if (answer.status !== 0) figures.latenciesMs.push(answer.tookMs);
    else await sleep(REPEAT_AFTER_MS);
    return answer;
  };
  const senders = Array.from({ length: options.senders }, async (_, number) => {
    const chance = createChance(options.seed, (options.stream ?? 1) + number);
    const sender = createSender(options, chance, post);
    while (!ending) {
      await sender.sendNext();
      if (options.pauseMs !== undefined) await sleep(options.pauseMs);
    }
  });
  return {
    figures,
    async end() {
      ending = true;
      await Promise.all(senders);
      agent.destroy();
    },
  };
}

type Post = (path: string, body: string, headers?: Record<string, string>) => Promise<Answer>;

/** Batches from browsers wait in the journal; a server's, with their own ids, in the ledger. */
const BROWSERS_SHARE = 0.6;
const WITHOUT_KEY = { authorization: '', 'user-agent': BROWSER };

/** One request to the server, with the key unless `authorization` is empty; never rejects. */
export function send(
  agent: Agent,
  server: Pick<TortureServer, 'port' | 'key'>,
  path: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const from = performance.now();
  const { authorization = `Bearer ${server.key}`, ...others } = headers;
  return new Promise((resolve) => {
    const answer = (status: number, text: string) =>
      resolve({ status, body: text, tookMs: performance.now() - from });
    const sent = request(
      {
        agent,
        port: server.port,
        host: '127.0.0.1',
        method: 'POST',
        path,
        timeout: 20_000,
        headers: {
          ...(authorization !== '' && { authorization }),
          'content-type': 'application/json',
          ...others,
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => answer(response.statusCode ?? 0, text));
        response.on('error', () => answer(0, ''));
        response.on('aborted', () => answer(0, ''));
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => answer(0, ''));
    sent.end(body);
  });
}

/** Sends one thing after another, recording it in the oracle before and after. */
function createSender(
  { oracle, batch, goals = 0, payments = 0, daysBack = 0 }: LoadOptions,
  chance: Chance,
  post: Post,
) {
  /** Visitors whose pageview was acknowledged. */
  const seen: string[] = [];
  return {
    async sendNext(): Promise<void> {
      const kind = chance.whole(0, 99);
      if (kind < goals && seen.length > 0) return sendGoal();
      if (kind < goals + payments) return sendPayment();
      return sendEvents();
    },
  };

  async function sendEvents(): Promise<void> {
    const events = makeEvents(chance, batch, daysBack);
    const ids = events.map((event) => event.event_id);
    for (const id of ids) oracle.sendEvent(id);
    const headers = chance.isTrue(BROWSERS_SHARE) ? WITHOUT_KEY : {};
    const { status } = await post('/api/v1/events', JSON.stringify({ events }), headers);
    tellOracle(oracle, ids, status);
    const visitor = events[0]?.service_visitor_id;
    if (status === 200 && visitor !== undefined && seen.push(visitor) > 100) seen.shift();
  }

  /** With a key, and retried until answered, so that its event's id is always known. */
  async function sendGoal(): Promise<void> {
    const visitor = seen[chance.whole(0, seen.length - 1)];
    const body = JSON.stringify({ service_visitor_id: visitor, name: 'signup' });
    const headers = { 'idempotency-key': chance.uuid(4) };
    const answer = await repeat(() => post('/api/v1/goals', body, headers));
    if (answer.status !== 200) return;
    const { data } = JSON.parse(answer.body) as { data: { eventId: string }[] };
    for (const { eventId } of data) {
      oracle.sendEvent(eventId);
      oracle.acknowledgeEvent(eventId);
    }
  }

  async function sendPayment(): Promise<void> {
    const id = `payment-${chance.digits(16)}`;
    const amountMinor = chance.whole(1, 1_000_000);
    const isRefunded = chance.isTrue(0.2);
    const body = (refundMinor?: number) =>
      `{"amount":${toDecimal(refundMinor ?? amountMinor)},"currency":"EUR","transaction_id":"${id}"${
        refundMinor === undefined ? '' : ',"refunded":true'
      }${seen[0] === undefined ? '' : `,"service_visitor_id":"${seen[0]}"`}}`;
    oracle.sendPayment(id, amountMinor);
    const paid = await repeat(() => post('/api/v1/payments', body()));
    if (paid.status !== 200) return;
    oracle.acknowledgePayment(id, { amountMinor, refundedMinor: 0 });
    if (!isRefunded) return;
    const refundedMinor = chance.whole(1, amountMinor);
    const refunded = await repeat(() => post('/api/v1/payments', body(refundedMinor)));
    if (refunded.status === 200) oracle.acknowledgePayment(id, { amountMinor, refundedMinor });
  }
}

function tellOracle(oracle: Oracle, ids: readonly string[], status: number): void {
  for (const id of ids) {
    if (status === 200) oracle.acknowledgeEvent(id);
    else if (status !== 0) oracle.refuseEvent(id);
  }
}

/** Pageviews of one new visitor. */
function makeEvents(chance: Chance, most: number, daysBack: number) {
  // Draws no random number if all happens now, so that other rows keep their plans.
  const now = Date.now() - (daysBack === 0 ? 0 : chance.whole(0, daysBack) * DAY_MS);
  const visitor = chance.uuid(4);
  return Array.from({ length: chance.whole(1, most) }, (_, index) => ({
    site: SITE,
    type: 'pageview',
    url: `https://${SITE}/${index}?utm_source=source-${chance.whole(1, 5)}`,
    service_visitor_id: visitor,
    event_id: chance.uuid(7, now),
    occurred_at: now,
    user_agent: BROWSER,
  }));
}

/** Retries until the answer is not "try again". */
async function repeat(post: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await post();
    if (answer.status !== 0 && answer.status !== 503) return answer;
    await sleep(REPEAT_AFTER_MS);
  }
}

/** Formats minor units of a currency with two decimals as in JSON. */
export function toDecimal(minor: number): string {
  return `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
}

/** The value below which this share of the values is. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

/** The statuses with their counts, as a short text. */
export function tellStatuses({ statuses }: LoadFigures): string {
  return [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status === 0 ? 'broken' : status}: ${count}`)
    .join(', ');
}
