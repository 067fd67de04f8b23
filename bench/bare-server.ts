import { createServer } from 'node:http';

/**
 * The yardstick: a bare `node:http` server that parses the same JSON and answers the same bytes, from
 * the first header to the end of the body.
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

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    const answer = ANSWERS[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200, answer?.headers);
    response.end(answer?.body);
  });
});
server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
process.on('disconnect', () => process.exit(0));

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
