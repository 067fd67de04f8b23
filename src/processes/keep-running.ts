import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A process that is started again whenever it ends by itself. */
export interface KeptProcess {
  /** Kills a process that hangs; it is started again at once. */
  replace(): void;
  /** Asks it to end, and insists after `graceMs`. Resolves when it is gone. */
  end(graceMs: number): Promise<void>;
}

/** How a process is started, and the callbacks of its life. */
export type KeepRunningOptions = {
  start(): ChildProcess;
  /** Called when the process ended by itself, before it is started again. */
  onDeath(how: string): void;
  /** Called at every `ready`, after restarts too, with the process's id. */
  onReady?(message: unknown, pid: number): void;
};

const RESTART_MIN_MS = 100;
const RESTART_MAX_MS = 2_000;

/**
 * Starts a process and keeps it running, waiting a little longer after each quick death.
 *
 * - Why a start that fails is a death, too: the machine may be out of memory, processes or
 *   descriptors for a moment, and a supervisor must outlive that.
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
 * Asks a process to end, and insists after `graceMs`. Resolves when it is gone; at once for one that
 * could not be started.
 */
export async function endProcess(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const insist = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await gone;
  clearTimeout(insist);
}
