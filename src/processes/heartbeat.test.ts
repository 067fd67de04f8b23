import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchEngine, watchWeb } from './heartbeat.ts';

/** Longer than any silence that is borne without work. */
const LONG_MS = 2_900;

/** Answers at its socket, until it is given something to do with all of its time. */
const ENGINE = `
  const server = require('node:http').createServer((_, response) => response.end());
  server.listen(process.argv[1], () => process.send('ready'));
  process.on('message', (ms) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  });`;

const folder = mkdtempSync(join(tmpdir(), 'tributary-heartbeat-'));
const ends: (() => void)[] = [];
after(() => {
  for (const end of ends) end();
  rmSync(folder, { recursive: true });
});

/** A process that is well, and how often it was called silent. */
async function startWatched(name: string) {
  const socketPath = join(folder, name);
  const child = spawn(process.execPath, ['-e', ENGINE, socketPath], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  const watched = { child, silences: 0 };
  const stop = watchEngine({ pid: child.pid ?? 0, socketPath }, () => {
    watched.silences += 1;
  });
  ends.push(stop, () => child.kill('SIGKILL'));
  await sleep(1_200);
  return watched;
}

/** Does with all of its main thread's time what it is told, for so many milliseconds. */
const WEB = `
  import { answerBeats } from '${new URL('heartbeat.ts', import.meta.url)}';
  answerBeats();
  process.on('message', ({ busyMs, idleMs }) => {
    const until = performance.now() + busyMs;
    while (performance.now() < until);
    if (idleMs) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, idleMs);
  });
  process.send({ kind: 'ready' });`;

/** A web process that is well, and how often it was called silent. */
async function startWatchedWeb(name: string, busyMaxMs?: number) {
  const main = join(folder, `${name}.mts`);
  writeFileSync(main, WEB);
  const child: ChildProcess = fork(main);
  await once(child, 'message');
  const watched = { child, silences: 0 };
  const stop = watchWeb(
    child,
    () => {
      watched.silences += 1;
    },
    busyMaxMs,
  );
  ends.push(stop, () => child.kill('SIGKILL'));
  await sleep(1_200);
  return watched;
}

/** Two seconds, where the machine does nothing else. */
async function untilMissed(watched: { readonly silences: number }): Promise<void> {
  const until = performance.now() + 60_000;
  while (watched.silences === 0 && performance.now() < until) await sleep(50);
}

describe('the heartbeat of the engine', { concurrency: true }, () => {
  it('is missed when it is stopped', async () => {
    const watched = await startWatched('stopped');
    watched.child.kill('SIGSTOP');
    await untilMissed(watched);
    assert.equal(watched.silences, 1);
  });

  it('is missed when nobody can reach it any more, though it is well', async () => {
    const watched = await startWatched('away');
    renameSync(join(folder, 'away'), join(folder, 'moved'));
    await untilMissed(watched);
    assert.equal(watched.silences, 1);
  });

  it('may stay away while it is at work', async () => {
    const watched = await startWatched('busy');
    watched.child.send(LONG_MS);
    await sleep(LONG_MS + 1_500);
    assert.equal(watched.silences, 0);
  });
});

describe('the heartbeat of the web process', { concurrency: true }, () => {
  it('is missed when it is stopped', async () => {
    const watched = await startWatchedWeb('web-stopped');
    watched.child.kill('SIGSTOP');
    await untilMissed(watched);
    assert.equal(watched.silences, 1);
  });

  it('is missed when its main thread never ends its work', async () => {
    const watched = await startWatchedWeb('web-endless', 9_000);
    const sentAt = performance.now();
    watched.child.send({ busyMs: 120_000 });
    await untilMissed(watched);
    watched.child.kill('SIGKILL');
    assert.equal(watched.silences, 1);
    const busyMs = performance.now() - sentAt;
    assert.ok(busyMs > 7_000, `${busyMs} ms: it may be busy for longer than it may hang`);
  });

  it('may stay away while its main thread works', async () => {
    const watched = await startWatchedWeb('web-busy');
    watched.child.send({ busyMs: 7_500 });
    await sleep(9_000);
    assert.equal(watched.silences, 0);
  });

  it('is missed when its main thread waits for what never comes', async () => {
    const watched = await startWatchedWeb('web-waits');
    watched.child.send({ busyMs: 0, idleMs: 120_000 });
    await untilMissed(watched);
    assert.equal(watched.silences, 1);
  });
});

describe('the heartbeat, when who listens was stopped itself', () => {
  it('is not missed', async () => {
    const watched = await startWatched('well');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LONG_MS);
    await sleep(2_500);
    assert.equal(watched.silences, 0);
  });
});
