import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataPathsOf } from '#processes/paths.ts';
import { takeProcessLock } from '#warehouse/engine/process-lock.ts';
import { MAIN } from '../../server/program.ts';
import { makeDataDir, runCli } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

it('a server that is told to end while it starts ends in order, whenever it was told', async () => {
  for (const afterMs of [0, 300, 900]) {
    const dataDir = makeDataDir();
    const child = spawn(process.execPath, [MAIN, 'serve', '--json'], {
      env: { ...process.env, DATA_DIR: dataDir, PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = text(child.stderr);
    const hasBegun = async () => existsSync(dataPathsOf(dataDir).serveLock);
    await waitUntil(hasBegun, (begun) => begun);
    await sleep(afterMs);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    assert.equal(code, 0, `told after ${afterMs} ms: ${await said}`);
    assert.doesNotMatch(await said, /Error/);
    assert.deepEqual(leftOf(dataDir), []);
    rmSync(dataDir, { recursive: true });
  }
});

it('a server whose supervisor is killed while it starts leaves no process behind', async () => {
  for (const afterMs of [0, 150, 300, 600]) {
    const dataDir = makeDataDir();
    const child = spawn(process.execPath, [MAIN, 'serve', '--json'], {
      env: { ...process.env, DATA_DIR: dataDir, PORT: '0' },
      stdio: 'ignore',
    });
    const left = async () => leftOf(dataDir);
    await waitUntil(left, (processes) => processes.length >= 3);
    await sleep(afterMs);
    child.kill('SIGKILL');
    await waitUntil(left, (processes) => processes.length === 0);
    rmSync(dataDir, { recursive: true });
  }
});

/** When to kill a command: before its server knows anything, while it starts, and once it serves. */
const MOMENTS: readonly {
  readonly signal: NodeJS.Signals;
  isNow(dataDir: string): boolean;
}[] = [
  { signal: 'SIGKILL', isNow: (dataDir) => leftOf(dataDir).length > 1 },
  { signal: 'SIGTERM', isNow: (dataDir) => existsSync(dataPathsOf(dataDir).serveLock) },
  { signal: 'SIGKILL', isNow: (dataDir) => existsSync(dataPathsOf(dataDir).server) },
];

it('a server that a command started for itself ends in order when the command is killed', async () => {
  for (const { signal, isNow } of MOMENTS) {
    const dataDir = makeDataDir();
    const command = spawn(process.execPath, [MAIN, 'demo', '--visitors', '10000000'], {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: 'ignore',
    });
    const gone = once(command, 'exit');
    await waitUntil(
      async () => isNow(dataDir),
      (now) => now,
    );
    const others = leftOf(dataDir).filter((pid) => pid !== command.pid);
    for (const pid of others) tellIfThere(pid, 'SIGSTOP'); // They only learn of it afterwards.
    command.kill(signal);
    await gone;
    for (const pid of others) tellIfThere(pid, 'SIGCONT');
    const left = async () => leftOf(dataDir);
    await waitUntil(left, (pids) => pids.length === 0);
    assert.equal(existsSync(dataPathsOf(dataDir).server), false);
    rmSync(dataDir, { recursive: true });
  }
});

it('a command ends when the server that it starts for itself cannot start', {
  timeout: 300_000,
}, async () => {
  const dataDir = makeDataDir();
  const lock = takeProcessLock(dataPathsOf(dataDir).serveLock, 0);
  await assert.rejects(runCli(['demo'], dataDir), /The server could not be started/);
  lock?.release();
  rmSync(dataDir, { recursive: true });
});

function tellIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** Processes still working in the folder. */
function leftOf(dataDir: string): number[] {
  return globSync('/proc/[0-9]*/environ')
    .filter((path) => {
      try {
        return readFileSync(path, 'utf8').includes(dataDir);
      } catch {
        return false; // It has ended.
      }
    })
    .map((path) => Number(path.split('/')[2]));
}
