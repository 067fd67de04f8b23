import { createServer } from 'node:http';

/** The yardstick: a bare `node:http` server that parses the same JSON and answers the same bytes. */
const ANSWERS: Readonly<Record<string, string>> = {
  '/api/v1/goals':
    '{"status":"success","data":[{"message":"Custom event created successfully","eventId":"019b7d5e-0000-7000-9000-000000000001"}]}',
  '/api/v1/payments':
    '{"message":"Payment recorded and attributed to the visitor\'s traffic source.","transaction_id":"bench-100000"}',
  '/api/v1/events': '{"status":"success","accepted":1,"dropped":[]}',
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    const answer = ANSWERS[request.url ?? ''] ?? '';
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(answer),
    });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
process.on('disconnect', () => process.exit(0));
