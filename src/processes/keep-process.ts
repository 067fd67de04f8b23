import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { keepRunning } from '#jobs/keep-running.ts';
import { workInTime } from '#jobs/wait.ts';

/** A process that is restarted whenever it exits by itself. */
export interface KeptProcess {
  /** Kills a hung process, which is then restarted. */
  replace(): void;
  /** Terminates the process, and kills it after `graceMs`. Resolves when it is gone. */
  end(graceMs: number): Promise<void>;
}

type KeepProcessOptions = {
  start(): ChildProcess;
  /** Called when the process has exited by itself, before it is restarted. */
  onDeath(how: string): void;
  /** Called on every `ready` message, also after restarts, with the process's id. */
  onReady?(message: unknown, pid: number): void;
};

const RESTART_MIN_MS = 100;
const RESTART_MAX_MS = 2_000;

/**
 * Starts a process and keeps it running, with increasing delays after quick deaths.
 *
 * - Why a failed start is retried too: the machine may briefly be out of memory, processes or
 *   descriptors, and the supervisor must survive that.
 */
export function keepProcess({ start, onDeath, onReady }: KeepProcessOptions): KeptProcess {
  let child: ChildProcess | undefined;
  const job = keepRunning({
    ...{ name: 'process', everyMs: RESTART_MIN_MS, retryMs: [RESTART_MIN_MS, RESTART_MAX_MS] },
    keepsAlive: true,
    async run(stopped) {
      let wasReady = false;
      const how = await new Promise<string>((end, fail) => {
        const started = start();
        child = started;
        started.on('message', (message: { kind?: string }) => {
          if (message.kind !== 'ready') return;
          wasReady = true;
          if (started.pid !== undefined) onReady?.(message, started.pid);
        });
        started.on('error', (error) => started.pid === undefined && fail(error));
        started.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
      }).catch((error) => `could not start: ${error}`);
      if (stopped.aborted) return;
      onDeath(how);
      if (!wasReady) throw new Error(how);
    },
  });
  job.runNow().catch(() => {}); // It is tried again.

  return {
    replace: () => child?.kill('SIGKILL'),
    async end(graceMs) {
      const ended = job.stop();
      if (child !== undefined) await endProcess(child, graceMs);
      await ended;
    },
  };
}

/**
 * Terminates a process, and kills it after `graceMs`. Resolves when it is gone, or immediately if it
 * never started.
 */
export async function endProcess(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const kill = () => void child.kill('SIGKILL');
  await workInTime(graceMs, () => gone, kill);
}
