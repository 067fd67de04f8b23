import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How a command ended, and what it wrote. */
export type Ran = {
  readonly code: number;
  readonly stdout: string;
  /** The end of all that it wrote. */
  readonly text: string;
};

const MAX_MS = 90_000;
const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Runs one command of the CLI on the data in `dataDir`; -1 is the code of one that had to be killed. */
export function runCommand(args: readonly string[], dataDir: string): Promise<Ran> {
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [MAIN, ...args],
      { env, timeout: MAX_MS, killSignal: 'SIGKILL' },
      (_error, stdout, stderr) =>
        resolve({
          code: child.exitCode ?? -1,
          stdout,
          text: `${stdout}${stderr}`.slice(-600),
        }),
    );
  });
}
