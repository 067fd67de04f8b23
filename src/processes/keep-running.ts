import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A process that is restarted whenever it exits by itself. */
export interface KeptProcess {
  /** Kills a hung process, which is then restarted. */
  replace(): void;
  /** Terminates the process, and kills it after `graceMs`. Resolves when it is gone. */
  end(graceMs: number): Promise<void>;
}

/** How to start a process, and callbacks. */
export type KeepRunningOptions = {
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
export function keepRunning({ start, onDeath, onReady }: KeepRunningOptions): KeptProcess {
  let child: ChildProcess | undefined;
  let ending = false;
  let restartMs = RESTART_MIN_MS;
  let restartTimer: NodeJS.Timeout | undefined;

  function run(): void {
    child = undefined;
    try {
      child = start();
      watch(child);
    } catch (error) {
      startLater(`could not start: ${error}`);
    }
  }

  function watch(started: ChildProcess): void {
    started.on('message', (message: { kind?: string }) => {
      if (message.kind !== 'ready') return;
      restartMs = RESTART_MIN_MS;
      if (started.pid !== undefined) onReady?.(message, started.pid);
    });
    started.on('error', (error) => {
      if (started.pid === undefined) startLater(`could not start: ${error}`);
    });
    started.once('exit', (code, signal) => startLater(signal ?? `exit code ${code}`));
  }

  function startLater(how: string): void {
    if (ending) return;
    onDeath(how);
    restartTimer = setTimeout(run, restartMs);
    restartMs = Math.min(restartMs * 2, RESTART_MAX_MS);
  }
  run();

  return {
    replace: () => child?.kill('SIGKILL'),
    async end(graceMs) {
      ending = true;
      clearTimeout(restartTimer);
      if (child !== undefined) await endProcess(child, graceMs);
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
  const insist = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await gone;
  clearTimeout(insist);
}
