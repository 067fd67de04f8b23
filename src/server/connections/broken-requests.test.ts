import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerBrokenRequest, noteRequest } from './broken-requests.ts';

const REQUEST_MAX_MS = 200;
const LONG_ANSWER_MS = 1_500;

it('a request that is too slow and comes whole behind a long answer has its own', async () => {
  const server = createServer(
    { requestTimeout: REQUEST_MAX_MS, connectionsCheckingInterval: REQUEST_MAX_MS / 4 },
    async (request, response) => {
      noteRequest(request, response);
      await once(request.resume(), 'end');
      if (request.url === '/long') await sleep(LONG_ANSWER_MS);
      // After the long answer: that one's end is not this one's.
      else await sleep(LONG_ANSWER_MS + 200);
      response.end(`answer to ${request.url}`);
    },
  );
  server.on('clientError', answerBrokenRequest);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' });
  const toldBroken = once(server, 'clientError');

  socket.write('GET /long HTTP/1.1\r\nhost: a\r\n\r\n');
  socket.write('POST /slow HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\nab');
  await toldBroken;
  socket.write('cd');
  const answers = await text(socket);

  server.close();
  assert.match(answers, /answer to \/long.*answer to \/slow.*HTTP\/1\.1 408/s);
});
