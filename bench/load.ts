import { connect, type Socket } from 'node:net';
import { stripe } from '#providers/stripe/stripe.ts';
import { charge, session } from '../test/providers/stripe-world.ts';
import { BATCH_EVENTS, type Load, type LoadResult } from './load-plan.ts';

/**
 * The load generator, in its own process: keep-alive connections, each with one request in flight, requests taken
 * from a prepared list. It speaks over IPC: a `Load` in, a `LoadResult` out; `stop` ends the load.
 */
let isStopped = false;
process.on('message', async (load: Load | 'stop') => {
  isStopped = load === 'stop';
  if (load !== 'stop') process.send?.(await runLoad(load));
});

async function runLoad(load: Load): Promise<LoadResult> {
  const next = createRequests(load);
  const latencies: number[] = [];
  let failures = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + load.durationMs;
  const onAnswer = (isSuccess: boolean, sentAt: number): void => {
    latencies.push(performance.now() - sentAt);
    if (!isSuccess) failures += 1;
  };
  const pace = (index: number): Pace => {
    if (load.perSecond === undefined) return { startsAt: startedAt, everyMs: 0 };
    const everyMs = (load.connections / load.perSecond) * 1_000;
    return { startsAt: startedAt + (everyMs * index) / load.connections, everyMs };
  };
  await Promise.all(
    Array.from({ length: load.connections }, (_, index) =>
      drive({ port: load.port, endsAt, next, onAnswer, pace: pace(index) }),
    ),
  );
  const durationMs = performance.now() - startedAt;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
  const [p50Ms, p99Ms, slowestMs] = [at(0.5), at(0.99), at(1)];
  return { requests: latencies.length, failures, durationMs, p50Ms, p99Ms, slowestMs };
}

/** This many different requests of the kind `batches` are prepared. */
const BATCHES = 200;

/**
 * Requests in sending order; those that may repeat are made once, before the clock starts.
 *
 * Why: the generator shares the machine's cores with the server, and is not what is measured.
 */
function createRequests(load: Load): () => Buffer | undefined {
  const head = `POST ${load.path} HTTP/1.1\r\nhost: 127.0.0.1:${load.port}\r\n${Object.entries(
    load.headers,
  )
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}`;
  const make = (n: number): Buffer => {
    const body = bodyOf(load, n);
    const signature = load.secret === undefined ? '' : sign(body, load.secret);
    return Buffer.from(
      `${head}${signature}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
  let count = 0;
  if (load.kind === 'payments') return () => make(count++);
  if (load.requestsMax !== undefined) {
    const all = Array.from({ length: load.requestsMax }, (_, n) => make(n));
    return () => all[count++];
  }
  const different = load.kind === 'batches' ? BATCHES : load.visitors;
  const requests = Array.from({ length: different }, (_, n) => make(n));
  return () => requests[count++ % requests.length] as Buffer;
}

/** When requests are due: one every this many milliseconds, or immediately if 0. */
type Pace = { readonly startsAt: number; readonly everyMs: number };

type Drive = {
  readonly port: number;
  readonly endsAt: number;
  readonly next: () => Buffer | undefined;
  readonly onAnswer: (isSuccess: boolean, sentAt: number) => void;
  readonly pace: Pace;
};

/**
 * One connection: the next request is sent when the last answer is complete and it is due.
 *
 * Why latency counts from when a request was due: one that waited for a slow answer was late too.
 */
function drive({ port, endsAt, next, onAnswer, pace }: Drive): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let dueAt = pace.startsAt;
    let sentAt = 0;
    let answer: Buffer = Buffer.alloc(0);
    const send = () => {
      const request = next();
      if (request === undefined) return void socket.end();
      sentAt = performance.now();
      if (pace.everyMs === 0) dueAt = sentAt;
      socket.write(request);
    };
    const sendWhenDue = () => {
      const waitMs = pace.everyMs === 0 ? 0 : dueAt - performance.now();
      if (waitMs <= 0) send();
      else setTimeout(send, waitMs);
    };
    socket.on('connect', sendWhenDue);
    socket.on('data', (chunk: Buffer) => {
      answer = answer.length === 0 ? chunk : Buffer.concat([answer, chunk]);
      if (!isWhole(answer)) return;
      onAnswer(answer.toString('latin1', 9, 12) === '200', Math.min(dueAt, sentAt)); // Timers may fire early.
      answer = Buffer.alloc(0);
      dueAt += pace.everyMs;
      if (!isStopped && performance.now() < endsAt) sendWhenDue();
      else socket.end();
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
}

function isWhole(answer: Buffer): boolean {
  const headEnd = answer.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const start = answer.indexOf('ontent-length: ');
  const length = Number.parseInt(answer.toString('latin1', start + 15, start + 22), 10);
  return answer.length >= headEnd + 4 + length;
}

function bodyOf(load: Load, n: number): string {
  const visitor = `visitor-${n % load.visitors}`;
  switch (load.kind) {
    case 'goals':
      return `{"service_visitor_id":"${visitor}","name":"signup","metadata":{"plan":"pro","from":"pricing"}}`;
    case 'payments':
      return `{"amount":29.99,"currency":"USD","transaction_id":"pay-${load.round}-${n}","service_visitor_id":"${visitor}","email":"buyer${n}@example.com"}`;
    case 'batches':
      return `{"events":[${Array.from({ length: BATCH_EVENTS }, (_, index) => pageview(n * BATCH_EVENTS + index, load)).join(',')}]}`;
    case 'pageviews':
      return pageview(n, load);
    case 'webhooks':
      return webhook(`${load.round}-${Math.floor(n / 2)}`, n, visitor);
  }
}

/** What Stripe sends of a payment: its completed checkout, and its charge. */
function webhook(payment: string, n: number, visitor: string): string {
  const at = Math.floor(Date.now() / 1_000);
  const event =
    n % 2 === 0
      ? session(payment, at, { metadata: { service_visitor_id: visitor } })
      : charge(payment, at);
  return JSON.stringify({ ...event, id: `evt_bench_${payment}_${n % 2}` });
}

function sign(body: string, secret: string): string {
  const headers = stripe.signSample?.(body, secret, Date.now(), '', {}) ?? {};
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

function pageview(n: number, { visitors }: Load): string {
  const visitor = `visitor-${n % visitors}`;
  return `{"site":"bench.example","type":"pageview","url":"https://bench.example/pricing?utm_source=news&utm_campaign=c${n % 10}","referrer":"https://www.google.com/","service_visitor_id":"${visitor}","title":"Pricing","screen_width":1440,"language":"de-DE","timezone":"Europe/Berlin"}`;
}
