import { workInTime } from '#jobs/wait.ts';
import { startCommand } from './run-command.ts';

const TAKES_MAX_MS = 30_000;

/** Runs `tributary doctor` and returns its findings. Concurrent callers share one run. Throws if it fails. */
export function createAskDoctor(dataDir: string): () => Promise<unknown> {
  let asked: Promise<unknown> | undefined;
  async function ask(): Promise<unknown> {
    const { child, ended } = startCommand(dataDir, ['doctor', '--json']);
    const kill = () => void child.kill('SIGKILL');
    const { output, errors } = await workInTime(TAKES_MAX_MS, () => ended, kill);
    try {
      return JSON.parse(output);
    } catch {
      throw new Error(`tributary doctor failed: ${errors.trim()}`);
    }
  }
  return () => {
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    return asked;
  };
}
