import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJournalCounts } from '#storage/queue-counts.ts';
import { makeDataDir } from '../../server/start-server.ts';
import { SITE, startTortureServer, type TortureServer } from '../../torture/torture-server.ts';

const CALLERS = 40;
const DEPTH_MAX = 5;
const LOAD_MS = 500;

it('a server that is told to end answers all that it records of what came in one piece', async () => {
  const dataDir = makeDataDir();
  const server = await startTortureServer({ dataDir });
  const callers = Array.from({ length: CALLERS }, (_, index) =>
    postInPipeline(server, 1 + (index % DEPTH_MAX)),
  );
  await sleep(LOAD_MS);
  await server.stop();
  const answered = (await Promise.all(callers)).reduce((sum, count) => sum + count, 0);

  const recorded = readJournalCounts(join(dataDir, 'journal'))?.shipped;
  rmSync(dataDir, { recursive: true });
  assert.equal(answered, recorded);
  assert.ok(answered > CALLERS * DEPTH_MAX, `${answered} were answered`);
});

/** Sends so many pageviews at once, again when all are answered, until the server hangs up; counts answers. */
async function postInPipeline({ port, key }: TortureServer, depth: number): Promise<number> {
  const body = JSON.stringify({
    site: SITE,
    type: 'pageview',
    url: `https://${SITE}/`,
    service_visitor_id: 'v',
  });
  const request = [
    'POST /api/v1/events HTTP/1.1',
    'host: a',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
  const socket = connect(port, '127.0.0.1');
  let text = '';
  let sent = 0;
  const send = () => {
    sent += depth;
    socket.write(request.repeat(depth));
  };
  socket.on('connect', send).on('error', () => {});
  socket.on('data', (bytes) => {
    text += bytes;
    if (countAnswers(text) === sent) send();
  });
  await new Promise((resolve) => socket.once('close', resolve)); // Also one that breaks is over.
  return countAnswers(text);
}

function countAnswers(text: string): number {
  return text.split('"accepted":1').length - 1;
}
