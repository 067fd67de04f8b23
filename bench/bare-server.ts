import { createServer, type ServerResponse } from 'node:http';
import { Worker } from 'node:worker_threads';

/**
 * The baseline: a bare `node:http` server that parses the same JSON and sends the same bytes, from the first header
 * to the end of the body. With a file name, it is the minimum for a durable answer: a thread appends and syncs each
 * body before its answer, in groups.
 */
const ANSWERS: Readonly<Record<string, ReturnType<typeof answerOf>>> = {
  '/api/v1/goals': answerOf(
    '{"status":"success","data":[{"message":"Custom event created successfully","eventId":"019b7d5e-0000-7000-9000-000000000001"}]}',
  ),
  '/api/v1/payments': answerOf(
    '{"message":"Payment recorded and attributed to the visitor\'s traffic source.","transaction_id":"bench-100000"}',
  ),
  '/api/v1/events': answerOf('{"status":"success","accepted":1,"dropped":[]}', {
    'access-control-allow-origin': '*',
  }),
};
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

const [, , syncedPath] = process.argv;
const append = syncedPath === undefined ? undefined : createAppend(syncedPath);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    JSON.parse(text);
    if (append === undefined) answer(request.url, response);
    else append(text, () => answer(request.url, response));
  });
});
server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
process.on('disconnect', () => process.exit(0));

function answer(url: string | undefined, response: ServerResponse): void {
  const known = ANSWERS[url ?? ''];
  response.writeHead(known === undefined ? 404 : 200, known?.headers);
  response.end(known?.body);
}

/** Groups what arrives while a group is written. Calls `onSynced` when a text is on disk. */
function createAppend(path: string): (text: string, onSynced: () => void) => void {
  const worker = new Worker(new URL('./append-synced.ts', import.meta.url), { workerData: path });
  let group: { text: string; onSynced: () => void }[] = [];
  let isWriting = false;
  const writeNext = (): void => {
    if (isWriting || group.length === 0) return;
    isWriting = true;
    const written = group;
    group = [];
    worker.once('message', () => {
      isWriting = false;
      setImmediate(writeNext);
      for (const { onSynced } of written) onSynced();
    });
    worker.postMessage(written.map(({ text }) => `${text}\n`).join(''));
  };
  return (text, onSynced) => {
    group.push({ text, onSynced });
    setImmediate(writeNext);
  };
}

function answerOf(body: string, more: Readonly<Record<string, string>> = {}) {
  const headers = {
    'x-request-id': '00000000-zzz',
    'x-content-type-options': 'nosniff',
    ...more,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  };
  return { body, headers };
}
