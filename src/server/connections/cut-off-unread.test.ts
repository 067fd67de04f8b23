import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { it } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { answerBrokenRequest, noteRequest } from './broken-requests.ts';
import { cutOffUnread } from './cut-off-unread.ts';

/** More than both ends' kernels keep. */
const LARGE = Buffer.alloc(30_000_000);
const UNREAD_MAX_MS = 500;

it('who reads no answer is cut off, though it sends what is broken all the time', async () => {
  const server = createServer(async (request, response) => {
    noteRequest(request, response);
    await turn(); // What is broken behind it has come, too.
    response.end(LARGE);
  });
  cutOffUnread(server, UNREAD_MAX_MS);
  server.on('clientError', answerBrokenRequest);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' }).pause();
  const cutOff = new Promise((resolve) =>
    socket.on('error', () => {}).once('close', () => resolve('cut off')),
  );

  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\nGARBAGE\r\n\r\n');
  const trickle = setInterval(() => socket.write('x'), UNREAD_MAX_MS / 10);
  const outcome = await Promise.race([cutOff, sleep(60_000, 'still open', { ref: false })]);

  clearInterval(trickle);
  socket.destroy();
  server.closeAllConnections();
  server.close();
  assert.equal(outcome, 'cut off');
});
