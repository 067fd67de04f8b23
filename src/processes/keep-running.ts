import type { ChildProcess } from 'node:child_process';

/** A process that is started again whenever it ends by itself. */
export interface KeptProcess {
  /** Resolves when the process has told `ready` for the first time. */
  readonly ready: Promise<unknown>;
  /** Kills a process that hangs; it is started again at once. */
  replace(): void;
  /** Asks it to end, and insists after `graceMs`. Resolves when it is gone. */
  end(graceMs: number): Promise<void>;
}

/** How a process is started, and who is told of its life. */
export type KeepRunningOptions = {
  start(): ChildProcess;
  /** Told when the process ended by itself, before it is started again. */
  onDeath(how: string): void;
  /** Told of every `ready`, the first and those after a restart, and of which process it is. */
  onReady?(message: unknown, pid: number): void;
};

const RESTART_MIN_MS = 100;
const RESTART_MAX_MS = 2_000;

/** Starts a process and keeps it running, waiting a little longer after each quick death. */
export function keepRunning({ start, onDeath, onReady }: KeepRunningOptions): KeptProcess {
  let child: ChildProcess;
  let ending = false;
  let restartMs = RESTART_MIN_MS;
  let restartTimer: NodeJS.Timeout | undefined;
  const ready = Promise.withResolvers<unknown>();

  function run(): void {
    child = start();
    child.on('message', (message: { kind?: string }) => {
      if (message.kind !== 'ready') return;
      restartMs = RESTART_MIN_MS;
      ready.resolve(message);
      if (child.pid !== undefined) onReady?.(message, child.pid);
    });
    child.once('exit', (code, signal) => {
      if (ending) return;
      onDeath(signal ?? `exit code ${code}`);
      restartTimer = setTimeout(run, restartMs);
      restartMs = Math.min(restartMs * 2, RESTART_MAX_MS);
    });
  }
  run();

  return {
    ready: ready.promise,
    replace: () => child.kill('SIGKILL'),
    async end(graceMs) {
      ending = true;
      clearTimeout(restartTimer);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      const insist = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await gone;
      clearTimeout(insist);
    },
  };
}
