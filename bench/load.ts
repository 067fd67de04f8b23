import { connect, type Socket } from 'node:net';

/**
 * The load generator, a process of its own: keep-alive connections, each with one request under
 * way, requests taken from a prepared list. It speaks over IPC: a `Load` in, a `LoadResult` out.
 */
export type Load = {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly durationMs: number;
  readonly kind: 'goals' | 'payments' | 'pageviews';
  readonly visitors: number;
  /** Makes a round's transactions differ from those of the rounds before. */
  readonly round: number;
};

export type LoadResult = {
  readonly requests: number;
  readonly failures: number;
  readonly durationMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

process.on('message', async (load: Load) => {
  process.send?.(await runLoad(load));
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
  await Promise.all(
    Array.from({ length: load.connections }, () => drive(load.port, endsAt, next, onAnswer)),
  );
  const durationMs = performance.now() - startedAt;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
  return { requests: latencies.length, failures, durationMs, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/**
 * Requests in the order to send them; those that may repeat are made once, before the clock runs.
 *
 * Why: the generator shares the machine's cores with the server, and is not what is measured.
 */
function createRequests(load: Load): () => Buffer {
  const head = `POST ${load.path} HTTP/1.1\r\nhost: 127.0.0.1:${load.port}\r\n${Object.entries(
    load.headers,
  )
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}`;
  const make = (n: number): Buffer => {
    const body = bodyOf(load, n);
    return Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  let count = 0;
  if (load.kind === 'payments') return () => make(count++);
  const requests = Array.from({ length: load.visitors }, (_, n) => make(n));
  return () => requests[count++ % requests.length] as Buffer;
}

/** One connection: the next request goes out when the last answer is whole. */
function drive(
  port: number,
  endsAt: number,
  next: () => Buffer,
  onAnswer: (isSuccess: boolean, sentAt: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    let answer: Buffer = Buffer.alloc(0);
    const send = () => {
      sentAt = performance.now();
      socket.write(next());
    };
    socket.on('connect', send);
    socket.on('data', (chunk: Buffer) => {
      answer = answer.length === 0 ? chunk : Buffer.concat([answer, chunk]);
      if (!isWhole(answer)) return;
      onAnswer(answer.toString('latin1', 9, 12) === '200', sentAt);
      answer = Buffer.alloc(0);
      if (performance.now() < endsAt) send();
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
    case 'pageviews':
      return `{"site":"bench.example","type":"pageview","url":"https://bench.example/pricing?utm_source=news&utm_campaign=c${n % 10}","referrer":"https://www.google.com/","service_visitor_id":"${visitor}","title":"Pricing","screen_width":1440,"language":"de-DE","timezone":"Europe/Berlin"}`;
  }
}
