import type { ChildProcess } from 'node:child_process';

/**
 * Asks a process to end, and insists after `graceMs`. Resolves when it is gone; at once for one that
 * could not be started.
 */
export async function endProcess(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const insist = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await gone;
  clearTimeout(insist);
}
