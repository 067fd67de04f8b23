import { startCommand } from './run-command.ts';

const TAKES_MAX_MS = 30_000;

/**
 * What `tributary doctor` finds. Who asks while it looks is given the same. Throws when it finds nothing.
 */
export function createAskDoctor(dataDir: string): () => Promise<unknown> {
  let asked: Promise<unknown> | undefined;
  async function ask(): Promise<unknown> {
    const { child, ended } = startCommand(dataDir, ['doctor', '--json']);
    const patience = setTimeout(() => child.kill('SIGKILL'), TAKES_MAX_MS);
    const { output, errors } = await ended.finally(() => clearTimeout(patience));
    try {
      return JSON.parse(output);
    } catch {
      throw new Error(`The doctor found nothing: ${errors.trim()}`);
    }
  }
  return () => {
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    return asked;
  };
}
