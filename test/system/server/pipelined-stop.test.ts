import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { it } from 'node:test';
import { readJournalCounts } from '#storage/queue-counts.ts';
import { makeDataDir } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { SITE, startTortureServer, type TortureServer } from '../../torture/torture-server.ts';

const CALLERS = 40;
const DEPTH_MAX = 5;
/** More than each caller's first: this many are answered before the end. */
const ANSWERED_MIN = CALLERS * DEPTH_MAX + 1;

it('a server that is told to end answers all that it records of what came in one piece', async () => {
  const dataDir = makeDataDir();
  const server = await startTortureServer({ dataDir });
  const counts = new Map<number, number>();
  const sumUp = () => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const callers = Array.from({ length: CALLERS }, (_, index) =>
    postInPipeline(server, 1 + (index % DEPTH_MAX), (count) => counts.set(index, count)),
  );
  await waitUntil(
    async () => sumUp(),
    (sum) => sum >= ANSWERED_MIN,
  );
  await server.stop();
  await Promise.all(callers);
  const answered = sumUp();

  const recorded = readJournalCounts(join(dataDir, 'journal'))?.shipped;
  rmSync(dataDir, { recursive: true });
  assert.equal(answered, recorded);
});

/** Sends this many pageviews at once, again once all are answered, until the server hangs up; reports the answers. */
async function postInPipeline(
  { port, key }: TortureServer,
  depth: number,
  count: (answers: number) => void,
): Promise<void> {
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
    count(countAnswers(text));
    if (countAnswers(text) === sent) send();
  });
  await new Promise((resolve) => socket.once('close', resolve)); // A broken one is closed too.
}

function countAnswers(text: string): number {
  return text.split('"accepted":1').length - 1;
}
