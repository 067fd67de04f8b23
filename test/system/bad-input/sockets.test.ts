import assert from 'node:assert/strict';
import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../server/wait-until.ts';
import {
  goal,
  pageview,
  payment,
  type RefusingServer,
  startRefusingServer,
} from './refusing-server.ts';

const CONNECTIONS_MAX = 120;
const WRITES_MAX = 30;
const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n';

/** The response on a socket, split into answers. */
type RawAnswer = { readonly status: number; readonly head: string; readonly body: string };

describe('a socket', () => {
  let tributary: RefusingServer;
  before(async () => {
    tributary = await startRefusingServer({
      CONNECTIONS_MAX: String(CONNECTIONS_MAX),
      TRUSTED_PROXIES: '127.0.0.1', // A single address may only have a part of them.
      RATE_LIMIT_WRITES: String(WRITES_MAX),
    });
  });
  after(() => tributary?.stop());

  function open(): { socket: Socket; read(): string } {
    const { hostname, port } = new URL(tributary.server.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    return { socket, read: () => text };
  }

  /** Resolves with this many answers, or all of them once the server hangs up. */
  async function answersTo(text: string, count: number): Promise<RawAnswer[]> {
    const { socket, read } = open();
    const ended = once(socket, 'end').then(() => true);
    socket.write(text);
    const isDone = () => cutAnswers(read()).length >= count;
    while (!isDone() && !(await Promise.race([ended, sleep(5, false)])));
    socket.destroy();
    return cutAnswers(read());
  }

  /** A write's head without the length of its body. */
  function headTo(kind: string): string {
    const head = `host: a\r\nauthorization: Bearer ${tributary.key}\r\ncontent-type: application/json`;
    return `POST /api/v1/${kind} HTTP/1.1\r\n${head}\r\n`;
  }

  it('without a Host header, or with two, is refused in the shape of every error', async () => {
    const [answer] = await answersTo('GET /healthz HTTP/1.1\r\n\r\n', 1);
    assert.equal(answer?.status, 400);
    assert.match(answer?.body ?? '', /"type":"invalid_request","message":"The request has no Host/);
    const [two] = await answersTo('GET /healthz HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n', 1);
    assert.equal(two?.status, 400);
    assert.match(two?.body ?? '', /more than one Host/);
    const goal = '{"service_visitor_id":"v","name":"g"}';
    const head = `${headTo('goals')}Host: b\r\ncontent-length: ${goal.length}\r\n\r\n`;
    const [write] = await answersTo(head + goal, 1);
    assert.equal(write?.status, 400);
    const [old] = await answersTo('GET /healthz HTTP/1.0\r\n\r\n', 1);
    assert.equal(old?.status, 200);
  });

  it('meets 405 with every method that a path does not have, and 404 where nothing is', async () => {
    for (const method of METHODS.filter((name) => !['GET', 'HEAD', 'CONNECT'].includes(name))) {
      const [there] = await answersTo(`${method} /healthz HTTP/1.1\r\nhost: a\r\n\r\n`, 1);
      assert.match(there?.body ?? '', /"code":405,"type":"method_not_allowed"/, method);
      assert.match(there?.head ?? '', /^allow: GET, HEAD$/m, method);
      const [nowhere] = await answersTo(`${method} /nowhere HTTP/1.1\r\nhost: a\r\n\r\n`, 1);
      assert.match(nowhere?.body ?? '', /"code":404,"type":"not_found"/, method);
    }
  });

  it('has an answer to an upgrade, and is closed before what is behind it', async () => {
    const body = JSON.stringify(goal());
    const behind = `${headTo('goals')}content-length: ${body.length}\r\n\r\n${body}`;
    for (const protocol of ['websocket', 'h2c']) {
      const upgrade = `connection: Upgrade, HTTP2-Settings\r\nupgrade: ${protocol}\r\n`;
      const head = HEALTH.replace('\r\n\r\n', `\r\n${upgrade}\r\n`);
      const write = behind.replace('host: a', `host: a\r\n${upgrade.trimEnd()}`);
      for (const first of [head, write]) {
        const { socket, read } = open();
        socket.write(first + behind);
        socket.write(behind);
        await once(socket, 'end', { signal: AbortSignal.timeout(5_000) });
        const answers = cutAnswers(read());
        assert.deepEqual(
          answers.map(({ status }) => status),
          [200],
        );
        assert.match(answers[0]?.head ?? '', /^connection: close$/im);
      }
    }
  });

  it('is served whatever it expects', async () => {
    const [answer] = await answersTo('GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: tea\r\n\r\n', 1);
    assert.equal(answer?.status, 200);
  });

  it('has its answers in the order of its requests', async () => {
    const absent = 'GET /absent HTTP/1.1\r\nhost: a\r\n\r\n';
    const answers = await answersTo(`${HEALTH}${absent}`.repeat(25), 50);
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? 200 : 404)),
    );
  });

  it('has the answers to what came whole before it is told what is broken behind that', async () => {
    const body = JSON.stringify(payment({ transaction_id: 'before-garbage' }));
    const paid = `${headTo('payments')}content-length: ${body.length}\r\n\r\n${body}`;
    const chunked = `${headTo('goals')}transfer-encoding: chunked\r\n\r\n`;
    for (const [broken, status] of [
      ['GARBAGE\r\n\r\n', 400],
      [`GET /healthz HTTP/1.1\r\nhost: a\r\nx-huge: ${'x'.repeat(30_000)}\r\n\r\n`, 431],
      [`${chunked}no length\r\n`, 400],
    ] as const) {
      const answers = await answersTo(`${HEALTH}${paid}${broken}`, 4);
      const [healthy, recorded, refused, ...more] = answers.map((answer) => answer.status);
      assert.deepEqual([healthy, recorded, refused, more], [200, 200, status, []], broken);
      assert.match(answers.at(-1)?.head ?? '', /^connection: close$/m);
    }
    const closing = paid.replace('host: a', 'host: a\r\nconnection: close');
    const answers = await answersTo(`${closing}GARBAGE\r\n\r\n`, 2);
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200],
    );
  });

  it('has its answer though it is closed on the sender’s side', async () => {
    const { socket, read } = open();
    socket.end(HEALTH);
    await once(socket, 'end');
    assert.equal(cutAnswers(read())[0]?.status, 200);
  });

  it('has the answers to its writes, too, when they are sent on and closed at once', async () => {
    const paid = (transactionId: string) => {
      const body = JSON.stringify(payment({ transaction_id: transactionId }));
      return `${headTo('payments')}content-length: ${body.length}\r\n\r\n${body}`;
    };
    const { socket, read } = open();
    socket.end(`${paid('closed-1')}${paid('closed-2')}`);
    await once(socket, 'end');
    assert.deepEqual(
      cutAnswers(read()).map(({ status }) => status),
      [200, 200],
    );
  });

  it('stays open for the next request, and says for how long', async () => {
    const { socket, read } = open();
    socket.write(HEALTH);
    await waitUntil(
      async () => cutAnswers(read()).length,
      (count) => count === 1,
    );
    await sleep(300);
    socket.write(HEALTH);
    await waitUntil(
      async () => cutAnswers(read()).length,
      (count) => count === 2,
    );
    assert.match(cutAnswers(read())[0]?.head ?? '', /keep-alive: timeout=72/i);
    socket.destroy();
  });

  it('gets 413 for a body that is too large before it has sent all of it', async () => {
    const [answer] = await answersTo(`${headTo('goals')}content-length: 99999999\r\n\r\n{`, 1);
    assert.match(answer?.body ?? '', /"code":413,"type":"request_too_large"/);
  });

  it('gets 413 and stays open when it has sent all of such a body: a reset would lose the answer', async () => {
    const body = ' '.repeat(600_000);
    const whole = `${headTo('goals')}content-length: ${body.length}\r\n\r\n${body}`;
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const chunked = `${headTo('goals')}transfer-encoding: chunked\r\n\r\n${chunk}`;
    const answers = await answersTo(whole + chunked + HEALTH, 3);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [413, 413, 200],
    );
  });

  it('beyond the limit of connections is told to come back, and those within go on', async () => {
    const within = Array.from({ length: CONNECTIONS_MAX + 5 }, open);
    const refused = () => within.filter(({ read }) => read().startsWith('HTTP/1.1 503 '));
    await waitUntil(
      async () => refused().length,
      (count) => count >= 5,
    );
    const [answer] = cutAnswers(refused()[0]?.read() ?? '');
    assert.match(answer?.body ?? '', /"code":503,"type":"unavailable"/);
    assert.match(answer?.head ?? '', /^retry-after: 1$/m);
    // The first: one of the last may yet be refused, as connections of other tests count, too.
    const served = within.find((each) => !refused().includes(each));
    served?.socket.write(HEALTH);
    await waitUntil(
      async () => served?.read() ?? '',
      (text) => text.startsWith('HTTP/1.1 200 '),
    );
    for (const { socket } of within) socket.destroy();
    await waitUntil(
      () => answersTo(HEALTH, 1),
      ([each]) => each?.status === 200,
    );
  });

  it('beyond the limit of connections is cut off, though it goes on sending', async () => {
    const all = Array.from({ length: CONNECTIONS_MAX + 1 }, open);
    const refused = () => all.find(({ read }) => read().startsWith('HTTP/1.1 503 '));
    await waitUntil(
      async () => refused() !== undefined,
      (isRefused) => isRefused,
    );
    const { socket } = refused() as (typeof all)[number];
    const trickle = setInterval(() => socket.write('x'), 200);
    const cutOff = new Promise((resolve) => socket.once('close', () => resolve('cut off')));
    const outcome = await Promise.race([cutOff, sleep(10_000, 'still open')]);
    clearInterval(trickle);
    for (const each of all) each.socket.destroy();
    assert.equal(outcome, 'cut off');
    await waitUntil(
      () => answersTo(HEALTH, 1),
      ([each]) => each?.status === 200,
    );
  });

  it('may write no more than so many times a second, by its key or its address', async () => {
    for (const [path, authorization, body] of [
      ['/api/v1/goals', undefined, goal()],
      ['/api/v1/events', null, pageview()],
    ] as const) {
      const headers = authorization === null ? { authorization: undefined } : {};
      const startedAt = performance.now();
      // Connections that the test before closed may not be free yet.
      const answers = await waitUntil(
        () =>
          Promise.all(
            Array.from({ length: 3 * WRITES_MAX }, () => tributary.send({ path, headers, body })),
          ),
        (all) => all.some(({ code }) => code === 429),
      );
      const refused = answers.filter(({ code }) => code === 429);
      // They start and end within a second.
      const seconds = Math.ceil((performance.now() - startedAt) / 1_000) + 1;
      const accepted = answers.filter(({ code }) => code === 200).length;
      assert.ok(accepted <= seconds * WRITES_MAX, `${accepted} accepted in ${seconds} s`);
      assert.equal(refused[0]?.headers.get('retry-after'), '1');
      assert.equal(refused[0]?.headers.get('ratelimit-remaining'), '0');
      const [{ body: told } = { body: {} }] = refused;
      const { error } = told as { error: { type: string; message: string } };
      assert.equal(error.type, 'rate_limited');
      assert.equal(error.message, `A key or address may write ${WRITES_MAX} times a second.`);
    }
    assert.equal((await tributary.send({ path: '/healthz', method: 'GET' })).code, 200);
  });
});

/** Complete answers only; each states its length. */
function cutAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; ; ) {
    const headEnd = text.indexOf('\r\n\r\n', at);
    if (headEnd < 0) return answers;
    const head = text.slice(at, headEnd).replaceAll('\r\n', '\n');
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const bodyEnd = headEnd + 4 + length;
    if (text.length < bodyEnd) return answers;
    answers.push({
      status: Number(head.slice(9, 12)),
      head,
      body: text.slice(headEnd + 4, bodyEnd),
    });
    at = bodyEnd;
  }
}
